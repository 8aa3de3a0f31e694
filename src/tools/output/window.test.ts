import fc from "fast-check";
import { expect, test } from "vitest";
import { track } from "../../delta/index.js";
import type { OutputLimits } from "../contract.js";
import { bytes, referenceWindow, splitLines } from "../fixtures/reference-window.js";
import { makeInitialState } from "./initial-state.js";
import { TextBlocks } from "./text-blocks.js";
import { linesOf } from "./text-size.js";
import { OutputWindow } from "./window.js";

const RUNS = process.env["CI"] === "true" ? 5_000 : 300;

/** Writes that are tried first: hard cases, and what a run finds from now on. */
const kept: [OutputLimits, string[], string[] | undefined][] = [
  [{ retain: "tail", maxBytes: 20, maxLines: 5 }, ["w".repeat(19), "🦊", "\n", "x"], ["ä\n".repeat(9)]],
  [{ retain: "head", maxBytes: 20, maxLines: 5 }, ["🦊".repeat(4), "ää", "🦊\n", "a\n"], undefined],
  [{ retain: "both", maxBytes: 20, maxLines: 5 }, ["\n\n\n\n\n", "\n", "w".repeat(40), "\n"], ["🦊".repeat(6), ""]],
];

function openWindow(limits: OutputLimits): { window: OutputWindow; blocks: () => string[] } {
  const tracker = track(makeInitialState(limits));
  const window = new OutputWindow(new TextBlocks(tracker), limits);
  const blocks = (): string[] => tracker.state.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return { window, blocks };
}

test("[T3] a window keeps the last whole lines within both caps", () => {
  const { window, blocks } = openWindow({ retain: "tail", maxBytes: 12, maxLines: 3 });

  for (const line of ["one\n", "two\n", "three\n"]) window.slide(0, line);
  expect(blocks()).toEqual(["two\nthree\n"]);
  expect(window.cut.by).toBe("bytes");

  for (const line of ["4\n", "5\n"]) window.slide(0, line);
  expect(blocks()).toEqual(["three\n4\n5\n"]);
  window.slide(0, "6\n");
  expect(blocks()).toEqual(["4\n5\n6\n"]);
  expect(window.cut.by).toBe("lines");
});

test("[T3] a head window keeps the first whole lines and never grows over the gap", () => {
  const { window, blocks } = openWindow({ retain: "head", maxBytes: 12, maxLines: 3 });

  for (const line of ["one\n", "two\n", "three\n", "4\n"]) window.slide(0, line);

  expect(blocks()).toEqual(["one\ntwo\n"]);
});

test("[T3] a window of both ends keeps a first fifth and a last part, in two blocks once the middle is left out", () => {
  const { window, blocks } = openWindow({ retain: "both", maxBytes: 50, maxLines: 100 });
  const lines = Array.from({ length: 30 }, (_, index) => `line-${String(index).padStart(2, "0")}\n`);

  for (const line of lines.slice(0, 6)) window.slide(0, line);
  expect(blocks()).toEqual([lines.slice(0, 6).join("")]);
  for (const line of lines.slice(6)) window.slide(0, line);

  expect(blocks()).toEqual(["line-00\n", lines.slice(-5).join("")]);
});

test("[T3] a line that alone exceeds the cap is shown in part, with its exact size, until another line follows", () => {
  const { window, blocks } = openWindow({ retain: "tail", maxBytes: 10, maxLines: 5 });

  window.slide(0, "first\n");
  for (let index = 0; index < 6; index += 1) window.slide(0, "äb,");
  expect(blocks()).toEqual(["b,äb,äb,"]);
  expect(window.cut.partialLineBytes).toBe(24);

  window.slide(0, "\n");
  expect(blocks()).toEqual([",äb,äb,\n"]);
  expect(window.cut.partialLineBytes).toBe(25);

  window.slide(0, "z");
  expect(blocks()).toEqual(["z"]);
  expect(window.cut.partialLineBytes).toBeUndefined();
});

test("[T3] a first line that alone exceeds the cap is shown from its start, with its exact size", () => {
  const { window, blocks } = openWindow({ retain: "head", maxBytes: 10, maxLines: 5 });

  for (let index = 0; index < 6; index += 1) window.slide(0, "äb,");
  window.slide(0, "end\nmore\n");

  expect(blocks()).toEqual(["äb,äb,ä"]);
  expect(window.cut.partialLineBytes).toBe(28);
});

test.each(["tail", "head", "both"] as const)(
  "[T3] O12: no cut of a %s window splits a character, wherever it lies about the cap",
  (retain) => {
    for (let offset = -4; offset <= 4; offset += 1) {
      const limits: OutputLimits = { retain, maxBytes: 40, maxLines: 10 };
      const { window, blocks } = openWindow(limits);
      window.slide(0, `${"x".repeat(40 + offset)}🦊${"y".repeat(40 - offset)}`);
      const shown = blocks();

      expect(shown.every((block) => isWellFormed(block))).toBe(true);
      const total = shown.reduce((sum, block) => sum + bytes(block), 0);
      expect(total).toBeLessThanOrEqual(40);
      expect(total).toBeGreaterThanOrEqual(40 - 3 * shown.length);
    }
  },
);

test("[T3] a slide drops what the tool believes its text to begin with, shown or not", () => {
  const { window, blocks } = openWindow({ retain: "tail", maxBytes: 10, maxLines: 10 });

  window.slide(0, "aaaa\nbbbb\ncccc\n");
  window.slide(7, "d");
  expect(blocks()).toEqual(["bb\ncccc\nd".slice(-9)]);

  expect(() => window.slide(100, "")).toThrow(/100 code units: the text has 9/);
  window.replace("🦊🦊");
  expect(() => window.slide(1, "x")).toThrow(/split a character/);
  expect(blocks()).toEqual(["🦊🦊"]);
});

test(
  "[T3] however a text is cut into writes, the window is that of the whole, and its sizes are exact",
  { timeout: 300_000 },
  () => {
    const piece = fc.oneof(
      fc.constantFrom("\n", "\n\n", "a\n", "🦊", "ä\n", "x"),
      fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll("\r", "")),
      fc.integer({ min: 1, max: 60 }).map((length) => "w".repeat(length)),
    );
    const limits = fc.record({
      retain: fc.constantFrom("tail" as const, "head" as const, "both" as const),
      maxBytes: fc.integer({ min: 20, max: 70 }),
      maxLines: fc.integer({ min: 5, max: 12 }),
    });
    const writes = fc.array(piece, { maxLength: 40 });
    const property = fc.property(limits, writes, fc.option(writes, { nil: undefined }), (caps, before, after) => {
      const { window, blocks } = openWindow(caps);
      let whole = "";
      for (const text of before) {
        window.slide(0, text);
        whole += text;
        expect(blocks()).toEqual(referenceWindow(whole, caps));
      }
      if (after !== undefined) window.replace((whole = after.join("")));

      expect(blocks()).toEqual(referenceWindow(whole, caps));
      const sizes = window.measure().map((size) => [size.bytes, linesOf(size)]);
      expect(sizes).toEqual(blocks().map((block) => [bytes(block), splitLines(block).length]));
      expect(window.cut.by === null).toBe(blocks().join("") === whole && blocks().length === 1);
    });

    fc.assert(property, { numRuns: RUNS, examples: kept });
  },
);

function isWellFormed(text: string): boolean {
  return Buffer.from(text).toString() === text;
}
