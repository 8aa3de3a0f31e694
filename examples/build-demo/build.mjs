// The build that `npm start` shows: this project's lower layers, compiled and tested by a program of its own. Nothing is
// staged: the compiler's API parses, checks and emits every source file, and each line is printed by the work that it
// tells of. The last stage tests what was just emitted and goes on until the build has lasted long enough to be watched.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkFiles } from "./check.mjs";
import { emitFiles } from "./emit.mjs";
import { openProgram } from "./program.mjs";
import { createReporter } from "./reporter.mjs";
import { soakDelta } from "./soak.mjs";

const LEAST_BUILD_MS = 10_000;
const LEAST_SOAK_MS = 2_000;

const root = fileURLToPath(new URL("../../", import.meta.url));
const output = mkdtempSync(join(tmpdir(), "spillway-build-demo-"));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => leave(signal));

try {
  process.exitCode = await build(createReporter(process.stdout, process.stderr));
} finally {
  removeOutput();
}

async function build(reporter) {
  const program = reporter.stage("parse", () => openProgram(root, reporter));
  const errors = reporter.stage("check", () => checkFiles(program, root, reporter));
  reporter.stage("emit", () => emitFiles(program, output, reporter));
  symlinkSync(join(root, "node_modules"), join(output, "node_modules"));
  const soakMs = Math.max(LEAST_SOAK_MS, LEAST_BUILD_MS - performance.now());
  const failures = await reporter.stage("soak", () => soakDelta(join(output, "delta", "index.js"), soakMs, reporter));
  reporter.line(`build finished: ${errors} type errors, ${failures} failures, ${Math.round(performance.now())} ms`);
  return errors + failures === 0 ? 0 : 1;
}

function leave(signal) {
  removeOutput();
  process.kill(process.pid, signal);
}

function removeOutput() {
  rmSync(output, { recursive: true, force: true });
}
