import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createRandom, runSeed } from "../../../test/support/random.js";
import { startCapture } from "./fixtures/captured.js";

const SEED = runSeed();
const RUNS = process.env["CI"] === "true" ? 2_000 : 100;
const LINES = Array.from({ length: 50 }, (_, index) => `plain ${index}\n`);

const folder = mkdtempSync(join(tmpdir(), "spillway-binary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`[X5] [X8] O14: 400 random bytes hide no line behind them but the one they stand in, and are saved (seed ${SEED})`, async () => {
  const random = createRandom(SEED);
  for (let run = 0; run < RUNS; run += 1) {
    const noise = Buffer.from(Array.from({ length: 400 }, () => Math.floor(random() * 256)));
    const raw = Buffer.concat([noise, Buffer.from(LINES.join(""))]);
    const spillPath = join(folder, `exec_${run}.log`);
    const captured = startCapture({ spillPath, limits: { maxBytes: 2_000, maxLines: 49 } });
    captured.print(raw);
    const { truncation, spill } = await captured.settle();

    expect([run, captured.view.text]).toEqual([run, LINES.slice(1).join("")]);
    expect(truncation.totalBytes).toBe(raw.length);
    expect(spill).toMatchObject({ bytes: raw.length, complete: true });
    expect(readFileSync(spillPath).equals(raw)).toBe(true);
  }
});

test("[X3] [X5] X15: a NUL is in no text, and in the totals and the spill", async () => {
  const spillPath = join(folder, "exec_nul.log");
  const captured = startCapture({ spillPath, limits: { maxBytes: 20, maxLines: 3 } });
  captured.print("a\0b\n".repeat(4));
  const { truncation } = await captured.settle();

  expect(captured.view.text).toBe("ab\nab\nab\n");
  expect(JSON.stringify(captured.updates)).not.toMatch(/\\u0000/);
  expect(truncation).toMatchObject({ totalBytes: 16, totalLines: 4 });
  expect(readFileSync(spillPath, "utf8")).toBe("a\0b\n".repeat(4));
});
