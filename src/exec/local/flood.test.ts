import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_MAX_BYTES } from "../output/view.js";
import { openTestEnv } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

const MIB = 1_048_576;
const FILE_MIB = process.env["CI"] === "true" ? 1_000 : 128;
const LIMIT = { timeout: 300_000 };

let place: TestEnv;
beforeAll(() => {
  place = openTestEnv();
});
afterAll(() => place.close());

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

/** The most that this process grew while `work` ran, in bytes. */
async function growthDuring(work: (sample: () => void) => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 20);
  await work(sample);
  clearInterval(timer);
  return most - before;
}

test("[X14] a flood from a file leaves window, totals and spill exact, and memory bounded", LIMIT, async () => {
  const file = join(place.folder, "flood");
  const { bytes, lines } = writeVariedFile(file, FILE_MIB);
  const tail = (await place.run("tail -c 60000 flood", { capture: { limits: { maxBytes: 100_000 } } })).text;
  await place.run("head -c 16000000 flood", { capture: { spill: true } });

  let updates = 0;
  const growth = await growthDuring(async (sample) => {
    const onUpdate = (): void => {
      updates += 1;
      sample();
    };
    const { value, text } = await place.run("cat flood", { capture: { spill: true }, onUpdate });
    expect(value.truncation).toMatchObject({ totalBytes: bytes, totalLines: lines, truncatedBy: "bytes" });
    expect(value.spill).toMatchObject({ bytes, complete: true });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(DEFAULT_MAX_BYTES);
    expect(tail.endsWith(text)).toBe(true);
    expect(Buffer.byteLength(text)).toBeGreaterThan(DEFAULT_MAX_BYTES - 200);
    expect((await place.run(`cmp flood ${value.spillPath}`)).value.exitCode).toBe(0);
  });

  expect(growth).toBeLessThan(DEFAULT_MAX_BYTES + 64 * MIB);
  // The first and the last; a fast machine has no time for more.
  expect(updates).toBeGreaterThanOrEqual(2);
});

test("[X9] an endless flood ends at its timeout, and its window is full", LIMIT, async () => {
  const growth = await growthDuring(async () => {
    const { error, text } = await place.run("yes", { timeout: 0.7 });
    expect(error.code).toBe("timeout");
    expect(error.result?.truncation.totalBytes).toBeGreaterThan(MIB);
    expect(text).toBe("y\n".repeat(2_000));
  });

  expect(growth).toBeLessThan(DEFAULT_MAX_BYTES + 64 * MIB);
});
