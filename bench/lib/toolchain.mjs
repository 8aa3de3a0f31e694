import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bench = fileURLToPath(new URL("../", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = join(bench, "dist", "spillway");
const next = join(bench, "dist", "next");
const STAMP = ".built";

/** What a person can read and act on. */
export class ToolchainError extends Error {}

/** Builds `src` into a folder of the benches' own, where that is due: what is measured is JavaScript, as users get it. */
export function buildSources() {
  const stamp = join(dist, STAMP);
  const sources = newestChange(join(root, "src"));
  if (existsSync(stamp) && Number(readFileSync(stamp, "utf8")) >= sources) return;
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  if (!existsSync(compiler)) throw new ToolchainError("the compiler is missing; run `npm ci` first");
  process.stderr.write("building src for the benches\n");
  rmSync(next, { recursive: true, force: true });
  const args = ["-p", "tsconfig.build.json", "--noCheck", "--sourceMap", "false"];
  runOrThrow(process.execPath, [compiler, ...args, "--outDir", next], root);
  writeFileSync(join(next, STAMP), String(sources));
  // A build that fails or is killed leaves the one before.
  rmSync(dist, { recursive: true, force: true });
  renameSync(next, dist);
}

/** Installs the rivals, where they are not there in the versions that the lock file names. */
export function installRivals() {
  const wanted = readFileSync(join(bench, "package-lock.json"), "utf8");
  const stamp = join(bench, "node_modules", ".installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stderr.write("installing the rivals (npm ci --prefix bench)\n");
  runOrThrow("npm", ["ci", "--prefix", bench, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], root);
  writeFileSync(stamp, wanted);
}

/**
 * A Node of at least this version: undefined where the present one is, else the one that is installed beside the rivals.
 *
 * @param {readonly [major: number, minor: number]} oldest
 */
export function findNewerNode([oldestMajor, oldestMinor]) {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  const name = `node-${process.platform}-${process.arch}`;
  try {
    return createRequire(join(bench, "package.json")).resolve(`${name}/bin/node`);
  } catch {
    throw new ToolchainError(
      `a rival needs Node ${oldestMajor}.${oldestMinor}, this is ${process.versions.node} and the registry's ${name} ` +
        "is not installed; run this bench with a newer Node",
    );
  }
}

/**
 * @param {string} folder
 * @returns {number}
 */
function newestChange(folder) {
  let newest = statSync(folder).mtimeMs;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    newest = Math.max(newest, entry.isDirectory() ? newestChange(path) : statSync(path).mtimeMs);
  }
  return newest;
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function runOrThrow(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new ToolchainError(`${command} ${args[0]} failed: ${error?.message ?? `code ${status}`}`);
}
