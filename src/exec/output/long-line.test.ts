import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { startCapture } from "./fixtures/captured.js";
import { OpenLine } from "./open-line.js";
import type { ShellOutputUpdate } from "./view.js";

const runs = process.env["CI"] === "true" ? 300 : 30;
const MAX_BYTES = 2_000;
/** What a look is never behind by more than a window of. */
const SMALL_BYTES = 997;
const READ_BYTES = 65_536;

type Retain = "tail" | "head" | "both";

/** What is shown in the end of bytes that come in pieces, looked at after each of them where that is asked for. */
async function show(bytes: Buffer, retain: Retain, pieceBytes: number, looks: boolean): Promise<ShellOutputUpdate> {
  const captured = startCapture({ limits: { retain, maxBytes: MAX_BYTES, maxLines: 7 } });
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    captured.print(bytes.subarray(from, from + pieceBytes));
    if (looks) captured.capture.snapshot();
  }
  await captured.settle();
  expect(captured.capture.snapshot()).toEqual({ kind: "replace", output: captured.view });
  return captured.capture.snapshot();
}

test("[X4] [X14] a line longer than all that is held shows what it would if every byte were decoded", async () => {
  const skip = vi.spyOn(OpenLine.prototype, "skip");
  await fc.assert(
    fc.asyncProperty(longLines(), fc.constantFrom<Retain>("tail", "head", "both"), async (bytes, retain) => {
      skip.mockClear();
      const whole = await show(bytes, retain, SMALL_BYTES, true);
      expect(skip).not.toHaveBeenCalled();

      expect(await show(bytes, retain, READ_BYTES, false)).toEqual(whole);
      expect(await show(bytes, retain, READ_BYTES - 1, true)).toEqual(whole);
    }),
    { numRuns: runs, examples: [[Buffer.alloc(1_000_000, "x"), "tail"]] },
  );
});

test.each([
  ["letters", "the quick brown fox "],
  ["characters of two to four bytes", "größer € 😀 °C "],
])("[X14] of a line that goes by unseen hardly anything is decoded: %s", async (_name, text) => {
  const skip = vi.spyOn(OpenLine.prototype, "skip").mockClear();
  const bytes = Buffer.from(text.repeat(200_000)).subarray(0, 3_000_000);

  const shown = await show(bytes, "tail", READ_BYTES, false);

  const skipped = skip.mock.calls.reduce((sum, [count]) => sum + count, 0);
  expect(skipped).toBeGreaterThan(0.85 * bytes.length);
  expect(shown).toMatchObject({ output: { truncation: { totalBytes: bytes.length, truncatedBy: "bytes" } } });
});

/** Long plain stretches, with what must not be left out between some of them. */
function longLines(): fc.Arbitrary<Buffer> {
  const plain = fc
    .tuple(fc.constantFrom("abcdefgh", "größe ", "12€", "😀 ", "5 °C ", "\tx"), fc.integer({ min: 1, max: 40_000 }))
    .map(([text, times]) => Buffer.from(text.repeat(times)));
  const odd = fc
    .constantFrom("\r", "\r\n", "\n", "a\nb\n", "\u0085", "\u001b[31m", "\u001b]0;title", "\u0000", "\u007f", "é")
    .map((text) => Buffer.from(text));
  const invalid = fc.constantFrom([0xff], [0xe2, 0x82], [0xc2], [0x80]).map((bytes) => Buffer.from(bytes));
  const piece = fc.oneof(
    { weight: 4, arbitrary: plain },
    { weight: 1, arbitrary: odd },
    { weight: 1, arbitrary: invalid },
  );
  return fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => Buffer.concat(pieces));
}
