import * as fc from "fast-check";
import { expect, test } from "vitest";
import { windowWith } from "../fixtures/window.js";
import { findLastLines, NewLineReader } from "./new-lines.js";
import type { OutputWindow } from "./window.js";

/** The window of an env that keeps the last `maxLines` lines of all that was written so far. */
function windowOf(written: string, maxLines: number, settled: boolean): OutputWindow {
  const end = settled ? written.length : written.lastIndexOf("\n") + 1;
  const lines = written.slice(0, end).match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const truncated = lines.length > maxLines;
  const open = written.slice(end);
  const newlines = written.split("\n").length - 1;
  return windowWith({
    text: lines.slice(-maxLines).join(""),
    progress: open === "" ? undefined : open,
    truncated,
    // Below the cap totals are not told before the end.
    totalLines: truncated || settled ? newlines + (written.endsWith("\n") || written === "" ? 0 : 1) : 0,
    settled,
  });
}

test("[R6] every line is printed once or counted as skipped, whichever windows are seen", () => {
  const piece = fc.constantFrom("a", "same\n", "same\n", "\n", "b\nc\n", "é😀", "x\n".repeat(7));
  const steps = fc.array(fc.record({ piece, isSeen: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 6 }), (steps, maxLines) => {
      const reader = new NewLineReader("tail");
      const printed: (string | undefined)[] = [];
      const read = (window: OutputWindow): void => {
        const { skipped, text } = reader.next(window);
        for (let i = 0; i < skipped; i += 1) printed.push(undefined);
        printed.push(...(text.match(/[^\n]*\n|[^\n]+$/g) ?? []));
      };
      let written = "";
      for (const step of steps) {
        written += step.piece;
        if (step.isSeen) read(windowOf(written, maxLines, false));
      }
      read(windowOf(written, maxLines, true));

      const lines = written.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      expect(printed).toHaveLength(lines.length);
      expect(printed.map((line, index) => line ?? lines[index])).toEqual(lines);
    }),
  );
});

/** The window of an env that keeps the first two and the last four of more than six lines. */
function endsOf(written: string, settled: boolean): OutputWindow {
  const whole = windowOf(written, Infinity, settled);
  const lines = whole.text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (lines.length <= 6) return whole;
  const totalLines = written.split("\n").length - 1 + (written.endsWith("\n") ? 0 : 1);
  return { ...whole, text: lines.slice(0, 2).join(""), tail: lines.slice(-4).join(""), truncated: true, totalLines };
}

test("[R6] [X20] with both ends kept, too, every line is printed once or counted as skipped, whichever windows are seen", () => {
  const piece = fc.constantFrom("a", "same\n", "same\n", "\n", "b\nc\n", "é😀", "x\n".repeat(7));
  const steps = fc.array(fc.record({ piece, isSeen: fc.boolean() }), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (steps) => {
      const reader = new NewLineReader("both");
      const printed: (string | undefined)[] = [];
      const read = (window: OutputWindow): void => {
        const { start, skipped, text } = reader.next(window);
        printed.push(...(start.match(/[^\n]*\n/g) ?? []));
        for (let i = 0; i < skipped; i += 1) printed.push(undefined);
        printed.push(...(text.match(/[^\n]*\n|[^\n]+$/g) ?? []));
      };
      let written = "";
      for (const step of steps) {
        written += step.piece;
        if (step.isSeen) read(endsOf(written, false));
      }
      read(endsOf(written, true));

      const lines = written.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      expect(printed.map((line, index) => line ?? lines[index])).toEqual(lines);
      for (const line of printed.slice(0, 2)) expect(line).toBeDefined();
    }),
  );
});

test("[R6] [X20] of one line that is kept in two parts both are printed", () => {
  const window = windowWith({ text: "xxxx", tail: "yyyy", truncated: true, totalLines: 1, settled: true });

  expect(new NewLineReader("both").next(window)).toEqual({ start: "xxxx\n", skipped: 0, text: "yyyy" });
});

test("[R6] raw newlines that are no text cause no line to be printed twice", () => {
  const reader = new NewLineReader("tail");
  const printed: string[] = [];
  let shown: string[] = [];

  // Once the window slides, each line has two newlines in a title sequence: the totals count them, the text has none.
  for (let n = 1; n <= 300; n += 1) {
    shown = [...shown, `line ${n}\n`].slice(-20);
    const window = windowWith({ text: shown.join(""), truncated: n > 20, totalLines: n > 20 ? 20 + 3 * (n - 20) : 0 });
    printed.push(
      ...reader
        .next(window)
        .text.split(/(?<=\n)/)
        .filter((line) => line !== ""),
    );
  }

  expect(printed).toEqual(Array.from({ length: 300 }, (_, index) => `line ${index + 1}\n`));
});

test("[R6] with the head kept, the text is printed once and nothing is skipped", () => {
  const reader = new NewLineReader("head");

  expect(reader.next(windowWith({ text: "1\n2\n" }))).toMatchObject({ skipped: 0, text: "1\n2\n" });
  expect(reader.next(windowWith({ text: "1\n2\n3\n", truncated: true, totalLines: 90 }))).toMatchObject({
    skipped: 0,
    text: "3\n",
  });
  expect(reader.next(windowWith({ text: "1\n2\n3\n", truncated: true, totalLines: 95, settled: true }))).toMatchObject({
    skipped: 0,
    text: "",
  });
});

test.each([
  ["a\nb\nc\n", 2, "b\nc\n"],
  ["a\nb\nc", 2, "b\nc"],
  ["\n\n\n", 2, "\n\n"],
  ["a\n", 5, "a\n"],
  ["", 3, ""],
])("the last lines of %j, %i of them, are %j", (text, count, expected) => {
  expect(text.slice(findLastLines(text, text.length, count).start)).toBe(expected);
});
