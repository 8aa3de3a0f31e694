import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { prepareCheckout, PrepareError } from "./checkout.mjs";
import { createProgress } from "./progress.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const START_FAILED = 125;

export async function launch(argv) {
  try {
    await prepareCheckout(root, createProgress(process.stderr));
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    // What the CLI does with its own failures: a program that reads lines of JSON gets one.
    const dashes = argv.indexOf("--");
    const isJson = argv.slice(0, dashes === -1 ? argv.length : dashes).includes("--json");
    if (isJson)
      process.stdout.write(`${JSON.stringify({ type: "error", code: "start_failed", message: error.message })}\n`);
    process.stderr.write(`spillway: ${error.message}\n`);
    process.exitCode = START_FAILED;
    return;
  }
  if (argv[0] === "--build-only") return;

  const main = join(root, "dist", "bin", "spillway.js");
  process.argv = [process.execPath, main, ...argumentsOf(argv)];
  await import(pathToFileURL(main).href);
}

function argumentsOf(argv) {
  if (argv[0] === "--cli") return argv.slice(1);
  if (argv.length > 0) return argv;
  const command = `${shellWord(process.execPath)} examples/build-demo/build.mjs`;
  process.stderr.write(`spillway run --cwd ${shellWord(root)} -- ${command}\n\n`);
  return ["run", "--cwd", root, "--", command];
}

function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
