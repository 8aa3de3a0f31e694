// Starts spillway from a checkout: installs and builds where that is due, then runs the CLI in this same process, so
// that signals, exit codes and the terminal are the CLI's own. Only Node built-ins, because nothing may be installed yet.
//
//   node scripts/start.mjs                 the demo: a real build, run through all layers
//   node scripts/start.mjs ARGUMENTS…      the CLI with these arguments
//   node scripts/start.mjs --cli [ARG…]    the same, also without arguments
//   node scripts/start.mjs --build-only    nothing is run
//
// This file keeps to the language of Node 12 and imports the rest late, so that an old Node gets to say that it is old.

const OLDEST_NODE = [20, 19];
const START_FAILED = 125;

const problem = findProblem(process.versions.node, process.platform);
if (problem === undefined) {
  import("./start/launch.mjs")
    .then(({ launch }) => launch(process.argv.slice(2)))
    .catch((error) => {
      process.stderr.write(`spillway: cannot start: ${error.stack}\n`);
      process.exitCode = START_FAILED;
    });
} else {
  process.stderr.write(`spillway: ${problem}\n`);
  process.exitCode = START_FAILED;
}

function findProblem(nodeVersion, platform) {
  if (platform === "win32") {
    return "Windows itself is not supported; run this inside WSL (https://learn.microsoft.com/windows/wsl/install).";
  }
  if (platform !== "linux" && platform !== "darwin") {
    return `this system (${platform}) is not supported; spillway runs on Linux and macOS.`;
  }
  const [major, minor] = nodeVersion.split(".").map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    return `Node ${nodeVersion} is too old; install Node ${OLDEST_NODE.join(".")} or newer (https://nodejs.org).`;
  }
  return undefined;
}
