import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { acquireLock } from "./lock.mjs";
import { findNpm } from "./npm.mjs";
import { hasPage, isInstalled, isBuilt, STAMP_FILE, stampOf } from "./stamp.mjs";
import { runStep } from "./step.mjs";

/** What a person can read and act on; anything else that goes wrong is a fault of these scripts. */
export class PrepareError extends Error {}

/** Installs and builds what is due. Several at once are safe: one works, the others wait and then find it done. */
export async function prepareCheckout(root, progress) {
  if (isInstalled(root) && isBuilt(root)) return;
  const lock = await acquireLock(root, () => progress.say("waiting for another start of this folder"));
  try {
    if (!isInstalled(root)) await install(root, lock, progress);
    if (!isBuilt(root)) await build(root, lock, progress);
  } finally {
    lock.release();
  }
}

async function install(root, lock, progress) {
  const npm = findNpm(process.env, process.execPath);
  if (npm === undefined) throw new PrepareError("npm is missing; install it, or run `npm ci` where it is.");
  // Development packages hold the compiler, so they are named: NODE_ENV=production would leave them out.
  const args = [...npm.args, "ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const result = await runStep(npm.command, args, { root, lock, progress, title: "installing packages (npm ci)" });
  if (!result.ok) {
    throw new PrepareError(`npm ci failed (${result.ending}); see above, then start again.\n${result.output}`);
  }
}

/**
 * The build goes to a folder of its own and takes the place of `dist` by renames when it is whole, its stamp inside. A
 * start that is killed at any point leaves the old `dist`, the new one, or none: never a part of one.
 *
 * Types are not checked here, `npm test` does that: a fresh clone is running sooner.
 */
async function build(root, lock, progress) {
  const work = join(root, ".spillway");
  const next = join(work, "dist-next");
  const old = join(work, "dist-old");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);

  // Taken before the compiler reads: sources that change meanwhile make the next start build again.
  const stamp = stampOf(root);
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [compiler, "-p", "tsconfig.build.json", "--outDir", next, "--noCheck"];
  const result = await runStep(process.execPath, args, { root, lock, progress, title: "building (tsc)" });
  if (!result.ok) throw new PrepareError(`the build failed (${result.ending}):\n${result.output}`);
  await bundleCli(root, next, lock, progress);
  await buildPage(root, join(next, "web"), lock, progress);

  writeFileSync(join(next, STAMP_FILE), `${stamp}\n`);
  replaceFolder(join(root, "dist"), next, old);
  rmSync(work, { recursive: true, force: true });
}

async function bundleCli(root, next, lock, progress) {
  const args = [join(root, "scripts", "start", "build-cli.mjs"), next, join(next, "bin")];
  const result = await runStep(process.execPath, args, { root, lock, progress, title: "bundling the CLI (vite)" });
  if (!result.ok) throw new PrepareError(`the CLI could not be bundled (${result.ending}):\n${result.output}`);
}

/** The viewer that browsers are served, where the checkout has one. */
async function buildPage(root, folder, lock, progress) {
  if (!hasPage(root)) return;
  const args = [join(root, "scripts", "start", "build-page.mjs"), folder];
  const result = await runStep(process.execPath, args, { root, lock, progress, title: "building the page (vite)" });
  if (!result.ok) throw new PrepareError(`the build of the page failed (${result.ending}):\n${result.output}`);
}

function replaceFolder(target, next, old) {
  try {
    renameSync(target, old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(next, target);
}
