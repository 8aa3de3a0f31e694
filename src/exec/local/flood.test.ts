import { execFile } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_MAX_BYTES } from "../output/view.js";
import type { ShellOutputUpdate } from "../output/view.js";
import type { Flood, FloodPlan } from "./fixtures/flood-host.js";
import { createJumpingClock } from "./fixtures/jumping-clock.js";
import { openTestEnv } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

const MIB = 1_048_576;
const isCi = process.env["CI"] === "true";
const FLOOD_MIB = isCi ? 1_000 : 32;
/** Random bytes become text ten times as slowly as lines do. */
const RANDOM_MIB = isCi ? 250 : 8;
const LIMIT = { timeout: 600_000 };
/**
 * What bounds the delay of the event loop on any machine: a turn handles at most 32 reads of each pipe, as the loop of Node
 * allots them, whatever waits. At 100 MB/s, below what the slowest text comes to, that is less than the 50 ms of the design.
 */
const MAX_BYTES_PER_TURN = 2 * 32 * 65_536;

let place: TestEnv;
beforeAll(() => {
  place = openTestEnv();
});
afterAll(() => place.close());

test("[X14] floods of any shape are exact, and the process that they cross stays small and live", LIMIT, async () => {
  const { bytes, lines } = writeVariedFile(join(place.folder, "flood"), FLOOD_MIB);
  const end = (await place.run("tail -c 60000 flood", { capture: { limits: { maxBytes: 100_000 } } })).text;

  const floods = await runFloods([
    "cat flood",
    `yes | head -c ${FLOOD_MIB * MIB}`,
    `head -c ${FLOOD_MIB * MIB} /dev/zero`,
    `tr '\\0' x </dev/zero | head -c ${FLOOD_MIB * MIB}`,
    `head -c ${RANDOM_MIB * MIB} /dev/urandom`,
  ]);

  const [file, yes, zeros, line, random] = floods;
  expect(file?.result.truncation).toMatchObject({ totalBytes: bytes, totalLines: lines, truncatedBy: "bytes" });
  expect(end.endsWith(file?.text ?? "")).toBe(true);
  expect(Buffer.byteLength(file?.text ?? "")).toBeGreaterThan(DEFAULT_MAX_BYTES - 200);
  expect((await place.run(`cmp flood ${file?.result.spillPath}`)).value.exitCode).toBe(0);
  expect(yes?.text).toBe("y\n".repeat(2_000));
  expect(zeros?.text).toBe("");
  expect(line?.text).toBe("x".repeat(DEFAULT_MAX_BYTES));
  expect(random?.result.truncation.totalBytes).toBe(RANDOM_MIB * MIB);
  for (const { result, text, growthBytes, bytesPerTurn, updates } of floods) {
    expect(result.spill).toMatchObject({ bytes: result.truncation.totalBytes, complete: true });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(DEFAULT_MAX_BYTES);
    expect(growthBytes).toBeLessThanOrEqual(DEFAULT_MAX_BYTES + 32 * MIB);
    expect(bytesPerTurn).toBeGreaterThan(0);
    expect(bytesPerTurn).toBeLessThanOrEqual(MAX_BYTES_PER_TURN);
    // The first and the last; a fast machine has no time for more.
    expect(updates).toBeGreaterThanOrEqual(2);
  }
});

test("[X9] an endless flood ends at its timeout, and its window is full", LIMIT, async () => {
  const clock = createJumpingClock();
  const own = openTestEnv({ clock });
  const onUpdate = (update: ShellOutputUpdate): void => {
    const { truncation } = update.kind === "replace" ? update.output : update.metadata;
    if (truncation.totalBytes > 16 * MIB) clock.jump(300_000);
  };

  const { error, text } = await own.run("yes", { timeout: 300, onUpdate });
  await own.close();

  expect(error.code).toBe("timeout");
  expect(text).toBe("y\n".repeat(2_000));
});

/** Lines of many lengths, in blocks of which each begins with its number. */
function writeVariedFile(path: string, mebibytes: number): { readonly bytes: number; readonly lines: number } {
  const fd = openSync(path, "w");
  const lines = Array.from({ length: 16_000 }, (_, line) => `${"x".repeat((line * 7_919) % 131)} ${line}`);
  const block = `${lines.join("\n")}\n`.slice(0, MIB);
  let bytes = 0;
  for (let index = 0; index < mebibytes; index += 1) {
    bytes += writeSync(fd, `block ${index}\n`);
    bytes += writeSync(fd, block);
  }
  closeSync(fd);
  const linesPerBlock = block.split("\n").length - 1;
  // A block that is cut within a line joins it to the next block's heading.
  return { bytes, lines: mebibytes * (linesPerBlock + 1) + (block.endsWith("\n") ? 0 : 1) };
}

/** Each command in turn, in a process of its own that does nothing else. */
async function runFloods(commands: readonly string[]): Promise<readonly Flood[]> {
  const plan: FloodPlan = { folder: place.folder, spillFolder: place.spillFolder, commands };
  const loader = join(import.meta.dirname, "watchdog/source-loader.mjs");
  const program = join(import.meta.dirname, "fixtures/flood-host.ts");
  // By default the engine lets up to 48 MiB of garbage pile up in any process; what is asked here is what the env holds.
  const args = ["--max-semi-space-size=2", "--import", loader, program, JSON.stringify(plan)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * MIB });
  return stdout
    .trim()
    .split("\n")
    .map((told) => JSON.parse(told) as Flood);
}
