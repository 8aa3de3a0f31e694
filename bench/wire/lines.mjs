import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "../lib/children.mjs";

/**
 * A command that prints lines, in a session with all its layers, and a consumer in another process. Every line must
 * arrive.
 *
 * @param {{ lines: number, everyMs: number }} printing
 * @returns {Promise<{ p50: number, p99: number }>} µs from print to arrival
 */
export async function runLines({ lines, everyMs }) {
  const folder = await mkdtemp(join(tmpdir(), "spillway-bench-"));
  const socketPath = join(folder, "s");
  const printer = fileURLToPath(new URL("./line-printer.mjs", import.meta.url));
  try {
    const [, answer] = await Promise.all([
      runChild(new URL("./line-host.mjs", import.meta.url), {
        socketPath,
        folder,
        command: `exec '${process.execPath}' '${printer}' ${lines} ${everyMs}`,
      }),
      runChild(new URL("./line-consumer.mjs", import.meta.url), { socketPath }),
    ]);
    if (answer.lines !== lines) throw new Error(`${answer.lines} of ${lines} lines arrived`);
    return answer;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
