import fc from "fast-check";
import { expect, test } from "vitest";
import { startCapture } from "./fixtures/captured.js";
import { DEFAULT_MAX_BYTES } from "./view.js";

const runs = process.env["CI"] === "true" ? 3_000 : 300;

test("[X1] text within the caps is whole, and a cap that is only reached cuts nothing", async () => {
  const captured = startCapture({ limits: { maxBytes: 8, maxLines: 2 } });
  captured.print("abc\ndef\n");
  await captured.settle();

  expect(captured.view).toMatchObject({ text: "abc\ndef\n", truncation: { truncated: false, truncatedBy: null } });
});

test("[X1] configured caps are enforced and shown (X05)", async () => {
  const captured = startCapture({ limits: { maxBytes: 150_000 } });
  captured.print(`${"x".repeat(59)}\n`.repeat(1_000));
  const { truncation } = await captured.settle();

  expect(truncation).toMatchObject({ truncated: false, maxBytes: 150_000, totalBytes: 60_000 });
  expect(captured.view.text).toHaveLength(60_000);
});

test("[X1] 41 KB in 200 lines is within the default caps: no cut, no spill (X04)", async () => {
  const captured = startCapture({ spillPath: "/nonexistent/spill.log" });
  captured.print(`${"y".repeat(204)}\n`.repeat(200));
  const result = await captured.settle();

  expect(result).toEqual({ truncation: expect.objectContaining({ truncated: false, totalBytes: 41_000 }) });
});

test("[X2] updates folded after each are the view, whatever the chunks, pipes, pauses and limits", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(piece(), fc.constantFrom(0 as const, 1 as const), fc.nat(400)), { maxLength: 30 }),
      fc.constantFrom("tail" as const, "head" as const, "both" as const),
      fc.integer({ min: 20, max: 60 }),
      fc.integer({ min: 5, max: 9 }),
      async (pieces, retain, maxBytes, maxLines) => {
        const captured = startCapture({ limits: { retain, maxBytes, maxLines } });
        for (const [text, pipe, pauseMs] of pieces) {
          captured.print(text, pipe);
          captured.clock.advance(pauseMs);
          if (captured.updates.length > 0) checkView(captured.view, maxBytes, maxLines);
        }
        await captured.settle();
        expect(captured.capture.snapshot()).toEqual({ kind: "replace", output: captured.view });
        checkView(captured.view, maxBytes, maxLines);
      },
    ),
    { numRuns: runs },
  );
});

test("[X4] the window is what a model that sees the whole text keeps, whatever the chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece(), { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
      fc.constantFrom("tail" as const, "head" as const),
      fc.integer({ min: 8, max: 80 }),
      fc.integer({ min: 1, max: 8 }),
      async (pieces, cuts, retain, maxBytes, maxLines) => {
        const whole = Buffer.from(pieces.join(""));
        const captured = startCapture({ limits: { retain, maxBytes, maxLines } });
        for (const chunk of chunksOf(whole, cuts)) {
          captured.print(chunk);
          captured.clock.advance(30);
        }
        const { truncation } = await captured.settle();

        const text = cleanText(whole.toString());
        expect(captured.view.text).toBe(
          retain === "tail" ? keepTail(text, maxBytes, maxLines) : keepHead(text, maxBytes, maxLines),
        );
        expect(truncation.truncated).toBe(captured.view.text !== text);
        expect(truncation.totalBytes).toBe(whole.length);
        expect(truncation.totalLines).toBe(rawLines(whole));
      },
    ),
    { numRuns: runs },
  );
});

test("[X3] totals are exact over 3 MiB on one pipe and 2 MiB on the other (O07)", async () => {
  const captured = startCapture();
  for (let index = 0; index < 48; index += 1) captured.print(Buffer.alloc(65_536, "out of line\n"), 0);
  for (let index = 0; index < 32; index += 1) captured.print(Buffer.alloc(65_536, "e"), 1);
  const { truncation } = await captured.settle();

  expect(truncation).toMatchObject({ truncated: true, totalBytes: 5_242_880 });
});

test("[X4] few long lines leave the last line in the text (O04)", async () => {
  const captured = startCapture();
  for (let index = 0; index < 4; index += 1) captured.print(`${"x".repeat(40_000)}\n`);
  captured.print("E: link step failed\n");
  await captured.settle();

  expect(captured.view.text).toBe(`${"x".repeat(40_000)}\nE: link step failed\n`);
});

test.each(["\n", "\r", ""])(
  "[X4] a 200 KB line of wide characters is cut on a character, and its size is told (O06) %j",
  async (end) => {
    const line = `${"w".repeat(996)}€`.repeat(200);
    const captured = startCapture();
    captured.print(line + end);
    const { truncation } = await captured.settle();

    expect(Buffer.byteLength(captured.view.text)).toBeLessThanOrEqual(DEFAULT_MAX_BYTES);
    expect(Buffer.byteLength(captured.view.text)).toBeGreaterThan(DEFAULT_MAX_BYTES - 4);
    expect(line.endsWith(captured.view.text.trimEnd())).toBe(true);
    expect(truncation.partialLineBytes).toBe(Buffer.byteLength(line) + (end === "\n" ? 1 : 0));
  },
);

test("[X4] with both ends kept no cut tears a character at any offset (O12)", async () => {
  for (let offset = 0; offset < 9; offset += 1) {
    const captured = startCapture({ limits: { retain: "both", maxBytes: 65 } });
    captured.print(`${"f".repeat(9 + offset)}🦊${"g".repeat(200)}🦊${"h".repeat(48 + offset)}`);
    await captured.settle();

    const { text, tail = "" } = captured.view;
    expect([text.isWellFormed(), tail.isWellFormed(), `${text}${tail}`.includes("\uFFFD")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(Buffer.byteLength(text)).toBeGreaterThan(13 - 4);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(13);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(52 - 4);
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(52);
  }
});

test.each(["tail", "head"] as const)("[X4] no cut tears a character at any offset: %s (O12)", async (retain) => {
  for (let offset = 0; offset < 9; offset += 1) {
    const captured = startCapture({ limits: { retain, maxBytes: 64 } });
    const filler = "f".repeat(60 + offset);
    captured.print(retain === "head" ? `${filler}🦊${"g".repeat(80)}` : `${"g".repeat(80)}🦊${filler}`);
    await captured.settle();

    expect(captured.view.text.isWellFormed()).toBe(true);
    expect(captured.view.text).not.toContain("\uFFFD");
    expect(Buffer.byteLength(captured.view.text)).toBeGreaterThan(60);
    expect(Buffer.byteLength(captured.view.text)).toBeLessThanOrEqual(64);
  }
});

test("[X4] a character split over reads, with the other pipe in between, is whole (O11)", async () => {
  const captured = startCapture();
  captured.print(Buffer.from([0x63, 0x61, 0x66, 0xc3]));
  captured.print("-err-", 1);
  captured.print(Buffer.from([0xa9, 0x20, 0xf0, 0x9f]));
  captured.print(Buffer.from([0xa6, 0x8a, 0x21, 0xe2, 0x82]));
  await captured.settle();

  expect(captured.view.text).toBe("caf-err-é 🦊!\uFFFD");
});

test("[X5] 20,000 progress frames leave two lines (O15)", async () => {
  const captured = startCapture();
  for (let frame = 1; frame <= 20_000; frame += 1) captured.print(`\rstep ${frame}/20000`);
  captured.clock.advance(1_000);
  expect(captured.view.progress).toBe("step 20000/20000");
  captured.print("\nDONE\n");
  await captured.settle();

  expect(captured.view.text).toBe("step 20000/20000\nDONE\n");
  expect(captured.view).not.toHaveProperty("progress");
});

test("[X5] nothing that controls a terminal is left, wherever it is split (O16)", async () => {
  const hostile =
    "a\u001b[2Jb\u001b]0;title\u0007c\u001b]52;c;aGk=\u001b\\d\u001b[?1049he\u001b[?2004lf\u001bPq#0\u001b\\g\u009b31mh\u0000i\u0008\n";
  for (let cut = 1; cut < hostile.length; cut += 1) {
    const captured = startCapture();
    captured.print(hostile.slice(0, cut));
    captured.print(hostile.slice(cut));
    await captured.settle();

    expect(captured.view.text).toBe("abcdefghi\n");
  }
});

test.each(["tail", "head", "both"] as const)(
  "[X5] a sequence at the edge of a window leaves no half of it: %s (O16)",
  async (retain) => {
    for (let offset = 0; offset <= 24; offset += 1) {
      const captured = startCapture({ limits: { retain, maxBytes: 50 } });
      const [before, after] = ["a".repeat(offset), "b".repeat(offset)];
      captured.print(`${before}\u001b[38;5;196m${"x".repeat(90)}\u001b]52;c;aGk=\u0007${after}`);
      await captured.settle();

      const text = `${before}${"x".repeat(90)}${after}`;
      const shown = {
        tail: [text.slice(-50), undefined],
        head: [text.slice(0, 50), undefined],
        both: [text.slice(0, 10), text.slice(-40)],
      };
      expect([captured.view.text, captured.view.tail]).toEqual(shown[retain]);
    }
  },
);

test("[X5] a line of 4,096 bytes is progress, a longer one is text, and a return after that costs one replace", () => {
  const captured = startCapture();
  captured.print(`before\n${"é".repeat(2_048)}`);
  expect(captured.view).toMatchObject({ text: "before\n", progress: "é".repeat(2_048) });

  captured.print("x");
  captured.clock.advance(1_000);
  expect(captured.view.text).toBe(`before\n${"é".repeat(2_048)}x`);
  expect(captured.view).not.toHaveProperty("progress");

  const told = captured.updates.length;
  captured.print("\rnew");
  captured.clock.advance(1_000);
  expect(captured.updates.slice(told).map(({ kind }) => kind)).toEqual(["replace"]);
  expect(captured.view).toMatchObject({ text: "before\n", progress: "new" });
});

test("[X5] binary at the start does not hide the lines that follow (O14)", async () => {
  const captured = startCapture();
  captured.print("\u0000\u0000\u001b[?25l");
  const lines = Array.from({ length: 50 }, (_, index) => `plain ${index}\n`).join("");
  captured.print(lines);
  await captured.settle();

  expect(captured.view.text).toBe(lines);
});

test("[X5] a sequence that never ends does not swallow what comes for ever", async () => {
  const captured = startCapture();
  captured.print(`\u001b]0;${"t".repeat(5_000)}\n`);
  captured.print("visible\n");
  await captured.settle();

  expect(captured.view.text.endsWith("visible\n")).toBe(true);
});

test("[X6] both pipes are in one text, in the order of their arrival", async () => {
  const captured = startCapture();
  captured.print("one\n", 0);
  captured.print("two\n", 1);
  captured.print("three\n", 0);
  await captured.settle();

  expect(captured.view.text).toBe("one\ntwo\nthree\n");
});

test("[X7] the first change is told at once, the next after the pace, the last always", () => {
  const captured = startCapture();
  captured.print("first\n");
  expect(captured.updates).toHaveLength(1);
  captured.print("second\n");
  captured.print("third\n");
  captured.clock.advance(99);
  expect(captured.updates).toHaveLength(1);
  captured.clock.advance(1);
  expect(captured.updates.at(-1)).toMatchObject({ kind: "append", text: "second\nthird\n" });

  captured.clock.advance(1_000);
  captured.print(`${"z".repeat(1_023)}\n`.repeat(40));
  captured.print("after a large one\n");
  captured.clock.advance(399);
  expect(captured.updates).toHaveLength(3);
  captured.clock.advance(20);
  expect(captured.updates).toHaveLength(4);
});

test.each([0, 1, 5, 9])("[X15] a secret is masked however it is split (at %i)", async (cut) => {
  const captured = startCapture({ secrets: ["hunter2-hunter2", ""] });
  const text = "key=hunter2-hunter2;\n";
  captured.print(text.slice(0, 4 + cut));
  captured.print(text.slice(4 + cut));
  const { truncation } = await captured.settle();

  expect(captured.view.text).toBe("key=[secret];\n");
  expect(truncation.totalBytes).toBe(text.length);
});

test("[X20] both ends are two blocks, and what is whole is one", async () => {
  const captured = startCapture({ limits: { retain: "both", maxBytes: 100, maxLines: 10 } });
  captured.print("root cause\n");
  for (let index = 0; index < 8; index += 1) captured.print(`line ${index}\n`);
  captured.clock.advance(1_000);
  expect(captured.view).not.toHaveProperty("tail");
  for (let index = 8; index < 40; index += 1) captured.print(`line ${index}\n`);
  await captured.settle();

  expect(captured.view.text).toBe("root cause\nline 0\n");
  expect(captured.view.tail).toBe(Array.from({ length: 8 }, (_, index) => `line ${index + 32}\n`).join(""));
});

test("[X20] the first fifth of 1,000 bytes and of 100 lines, and the last four fifths", async () => {
  const byBytes = startCapture({ limits: { retain: "both", maxBytes: 1_000, maxLines: 100 } });
  const byLines = startCapture({ limits: { retain: "both", maxBytes: 1_000, maxLines: 100 } });
  for (let index = 0; index < 300; index += 1) {
    byBytes.print(`${"z".repeat(19)}\n`);
    byLines.print("z\n");
  }
  for (const { settle } of [byBytes, byLines]) await settle();

  expect([byBytes.view.text.length, byBytes.view.tail?.length]).toEqual([200, 800]);
  expect([byLines.view.text.length, byLines.view.tail?.length]).toEqual([20 * 2, 80 * 2]);
});

test("[X1] caps that cannot be are refused with their range", () => {
  expect(() => startCapture({ limits: { maxBytes: 0 } })).toThrow("maxBytes is a whole number from 4 to");
  expect(() => startCapture({ limits: { maxLines: 1.5 } })).toThrow("maxLines is a whole number from 1 to");
});

function piece(): fc.Arbitrary<string> {
  const alphabet = [
    "a",
    "bc",
    "\n",
    "\n",
    "é",
    "🦊",
    "\r",
    "\r\n",
    "\u001b[31m",
    "\u001b]0;t\u0007",
    "\t",
    "word ",
    "\u0000",
  ];
  return fc.array(fc.constantFrom(...alphabet), { maxLength: 12 }).map((parts) => parts.join(""));
}

function* chunksOf(bytes: Buffer, cuts: readonly number[]): Generator<Buffer> {
  for (let from = 0, index = 0; from < bytes.length; index += 1) {
    const size = cuts[index % cuts.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

/** What a reader of the whole text would make of it. */
function cleanText(raw: string): string {
  const plain = raw.replaceAll(/\u001b\[31m|\u001b\]0;t\u0007|\u0000/g, "");
  return plain
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").split("\r").at(-1))
    .join("\n");
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function keepTail(text: string, maxBytes: number, maxLines: number): string {
  const lines = linesOf(text);
  let kept = "";
  for (const line of lines.slice(-maxLines).reverse()) {
    if (Buffer.byteLength(line + kept) > maxBytes) break;
    kept = line + kept;
  }
  if (kept !== "" || lines.length === 0) return kept;
  let end = lines.at(-1) ?? "";
  while (Buffer.byteLength(end) > maxBytes) end = Array.from(end).slice(1).join("");
  return end;
}

function keepHead(text: string, maxBytes: number, maxLines: number): string {
  const lines = linesOf(text);
  let kept = "";
  for (const line of lines.slice(0, maxLines)) {
    if (Buffer.byteLength(kept + line) > maxBytes) break;
    kept += line;
  }
  if (kept !== "" || lines.length === 0) return kept;
  let start = lines[0] ?? "";
  while (Buffer.byteLength(start) > maxBytes) start = Array.from(start).slice(0, -1).join("");
  return start;
}

function rawLines(bytes: Buffer): number {
  const newlines = bytes.filter((byte) => byte === 0x0a).length;
  return newlines + (bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0);
}

function checkView(view: { text: string; tail?: string }, maxBytes: number, maxLines: number): void {
  const text = view.text + (view.tail ?? "");
  expect(text.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
  expect(linesOf(view.text).length + linesOf(view.tail ?? "").length).toBeLessThanOrEqual(maxLines);
}
