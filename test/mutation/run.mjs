// npm run mutate -- [FILE …]: changes src/delta in every way that Stryker knows, and tells which changes no test notices.
// It ends with 1 below the score that stryker.config.json asks for.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("./", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const files = process.argv.slice(2);

const code = install() || mutate();
if (code !== 0) process.exitCode = code;

/** The runner is a package of its own, since nobody needs it to work here; peers are the repository's. */
function install() {
  const wanted = readFileSync(join(folder, "package-lock.json"), "utf8");
  const stamp = join(folder, "node_modules", ".installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return 0;
  process.stderr.write("installing the mutation runner (npm ci --prefix test/mutation)\n");
  const args = ["ci", "--prefix", folder, "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
  const installed = run("npm", args);
  if (installed === 0) writeFileSync(stamp, wanted);
  return installed;
}

function mutate() {
  const stryker = join(folder, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const narrowed = files.length === 0 ? [] : ["--mutate", files.join(",")];
  return run(process.execPath, [stryker, "run", "test/mutation/stryker.config.json", ...narrowed]);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit" }).status ?? 1;
}
