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

const GBK = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);

test("[X4] X14: bytes that are no UTF-8 are marks, and the result says so; those that are, say nothing", async () => {
  const captured = startCapture();
  captured.print(Buffer.concat([GBK, Buffer.from("\n")]));
  const result = await captured.settle();
  const plain = startCapture();
  plain.print("né🦊\n");

  expect(captured.view.text).toMatch(/^\uFFFD+\n$/);
  expect(result.decoding).toEqual({ encoding: "utf-8", replaced: true });
  expect(await plain.settle()).not.toHaveProperty("decoding");
});

test.each([
  ["gbk", GBK, "你好"],
  ["GB18030", Buffer.from([0x81, 0x30, 0x84, 0x36, 0xc4, 0xe3]), "¥你"],
  ["latin1", Buffer.from([0x63, 0x61, 0x66, 0xe9]), "café"],
  ["shift_jis", Buffer.from([0x83, 0x5c, 0x83, 0x5b]), "ソゼ"],
])("[X4] X14: output in %s is text where that was said, however it is split", async (encoding, bytes, text) => {
  for (let cut = 1; cut < bytes.length; cut += 1) {
    const captured = startCapture({ encoding });
    captured.print(bytes.subarray(0, cut));
    captured.print("-\n", 1);
    captured.print(Buffer.concat([bytes.subarray(cut), Buffer.from("\n")]));
    const { truncation, decoding } = await captured.settle();

    expect(captured.view.text.replace("-\n", "")).toBe(`${text}\n`);
    expect([truncation.totalBytes, decoding]).toEqual([bytes.length + 3, undefined]);
  }
});

test("[X4] X14: a flood in another encoding leaves the end that a model of the window keeps", async () => {
  const captured = startCapture({ encoding: "gbk", limits: { maxBytes: 200, maxLines: 100 } });
  for (let read = 0; read < 50; read += 1) captured.print(Buffer.concat([GBK, Buffer.from("\n")]));
  await captured.settle();

  expect(captured.view.text).toBe("你好\n".repeat(28));
});

test.each(["no-such-encoding", "utf-16le", "iso-2022-jp"])(
  "[X4] X14: where no encoding that is read by lines goes by %s, UTF-8 is taken, and the result says so",
  async (encoding) => {
    const captured = startCapture({ encoding });
    captured.print("né\n");
    const { decoding } = await captured.settle();

    expect(captured.view.text).toBe("né\n");
    expect(decoding).toEqual({ encoding: "utf-8", replaced: false, unknownLabel: encoding });
  },
);

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
