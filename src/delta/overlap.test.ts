import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countOf } from "./fixtures/counts.js";
import { apply, track } from "./index.js";
import type { Batch } from "./index.js";
import { findLongestOverlap } from "./longest-overlap.js";
import { findSlide } from "./overlap.js";

function flushOf(before: string, after: string): Batch {
  const tracker = track({ text: before });
  tracker.flush();
  tracker.state.text = after;
  return tracker.flush();
}

const lines = (from: number, to: number): string => {
  let text = "";
  for (let line = from; line < to; line += 1) text += `cc -c src/file${line}.c -o build/file${line}.o\n`;
  return text;
};

test("[D6] growth is an append, a moved window a drop and an append, anything else a set", () => {
  expect(flushOf("ab", "abc")).toEqual([["a", ["text"], "c"]]);
  expect(flushOf(lines(0, 50), lines(3, 52))).toEqual([
    ["t", ["text"], lines(0, 3).length],
    ["a", ["text"], lines(50, 52)],
  ]);
  expect(flushOf(lines(0, 50), lines(3, 50))).toEqual([["t", ["text"], lines(0, 3).length]]);
  expect(flushOf("progress 10%", "progress 20%")).toEqual([["s", ["text"], "progress 20%"]]);
  expect(flushOf(lines(0, 5), "")).toEqual([["s", ["text"], ""]]);
});

test.each([
  ["the same line", "  CC      drivers/net/common.o\n".repeat(1_600), 12_800],
  ["two lines in turn", "  CC      a.o\n  AR      built-in.a\n".repeat(1_500), 12_800],
  ["blocks that repeat", `${lines(0, 60)}${lines(0, 60)}`.repeat(9), 10_000],
])("[D6] a window of %s is found, and the ops are never larger than the new text", (_name, stream, step) => {
  const window = 40_000;
  const before = stream.slice(0, window);
  const after = stream.slice(step, window + step);
  const batch = flushOf(before, after);
  expect(JSON.stringify(batch).length).toBeLessThanOrEqual(JSON.stringify(after.slice(-step)).length + 60);
  expect(apply({ text: before }, batch)).toEqual({ text: after });
});

test("[D6] O12, O13: a cut inside a surrogate pair is never chosen", () => {
  const pairs = "\u{1F98A}".repeat(100);
  const before = `x${pairs}`;
  const after = `${pairs.slice(1)}y`;
  expect(flushOf(before, after)).toEqual([["s", ["text"], after]]);
  expect(flushOf(before, `${pairs.slice(20)}y`)).toEqual([
    ["t", ["text"], 21],
    ["a", ["text"], "y"],
  ]);
});

// Thirty-two windows long: what is quadratic is fast enough on one of 50 KB where it compares at memory speed.
const LONG = countOf({ here: 32, inCi: 32 }) * 51_200;

test.each([
  ["one letter", "a".repeat(LONG), `b${"a".repeat(LONG - 1)}`],
  ["one letter, the last differs", "a".repeat(LONG), `${"a".repeat(LONG - 1)}b`],
  [
    "one letter, the middle differs",
    `${"a".repeat(LONG / 2)}c${"a".repeat(LONG / 2 - 1)}`,
    `${"a".repeat(LONG / 2)}d${"a".repeat(LONG / 2 - 1)}`,
  ],
  ["a short period", "ab".repeat(LONG / 2), `${"ab".repeat(LONG / 2 - 1)}ba`],
  [
    "a period as long as what is looked at first",
    `${"a".repeat(1_100)}b`.repeat(LONG / 1_101),
    `${`${"a".repeat(1_100)}b`.repeat(LONG / 1_101 - 1)}c`,
  ],
  ["nearly periodic", `${"a".repeat(2_000)}b`.repeat(LONG / 2_001), `${"a".repeat(2_001)}b`.repeat(LONG / 2_002)],
  ["two-byte characters", "é›".repeat(LONG / 2), `${"é›".repeat(LONG / 2 - 1)}xé`],
])("[D6] hostile periodic text costs linear time: %s", { timeout: 120_000 }, (_name, before, after) => {
  const started = performance.now();
  const batch = flushOf(before, after);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(apply({ text: before }, batch).text === after).toBe(true);
});

/** As many places where the head is found as are compared before the linear search takes over, and more. */
const TIMES = 600;
const HEAD = "0123456789abcdefghijklmnopqrstuv";

test.each<[what: string, before: string, after: string, drop: number | undefined]>([
  ["the shortest overlap there is", `x${HEAD}`, HEAD, 1],
  ["one unit less", `xx${HEAD.slice(1)}`, HEAD.slice(1), undefined],
  ["a head that comes again", `${HEAD}ccc${HEAD}eee`, `${HEAD}eee${"z".repeat(100)}`, 35],
  ["only the head agrees", `${"c".repeat(99)}${HEAD}!`, `${HEAD}?${"z".repeat(100)}`, undefined],
  ["the last of very many places", `${"a".repeat(3_000)}b`, `${"a".repeat(100)}b${"x".repeat(2_000)}`, 2_900],
  ["the shortest one behind many", `${HEAD}c`.repeat(TIMES) + HEAD, HEAD + "d".repeat(30_000), 33 * TIMES],
  ["one unit less behind many", `${HEAD}c`.repeat(TIMES) + HEAD.slice(0, -1), HEAD + "d".repeat(30_000), undefined],
  [
    "a cut inside a pair behind many",
    `\ud83e\udd8a${HEAD}c`.repeat(TIMES) + `\ud83e\udd8a${HEAD}`,
    `\udd8a${HEAD}${"d".repeat(30_000)}`,
    undefined,
  ],
])("[D6] the overlap of a window: %s", (_what, before, after, drop) => {
  expect(findSlide(before, after)).toBe(drop);
});

test("[D6] periodic text finds the longest overlap, as trying every cut does", () => {
  const piece = fc.stringMatching(/^[ab🦊]{1,12}$/u);
  const text = fc
    .tuple(fc.array(piece, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 60 }), piece)
    .map(([pieces, times, end]) => pieces.join("").repeat(times) + end);
  let found = 0;
  fc.assert(
    fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), piece, (before, share, added) => {
      const after = before.slice(Math.floor(before.length * share)) + added;
      const drop = findSlide(before, after);
      expect(drop).toBe(tryEveryCut(before, after));
      if (drop !== undefined) found += 1;
    }),
    { numRuns: countOf({ here: 1_000, inCi: 20_000 }) },
  );
  expect(found).toBeGreaterThan(20);
});

function tryEveryCut(before: string, after: string): number | undefined {
  for (let drop = Math.max(0, before.length - after.length); drop <= before.length - 32; drop += 1) {
    const isWhole =
      drop === 0 ||
      before.slice(drop - 1, drop + 1).length < 2 ||
      !/^[\ud800-\udbff][\udc00-\udfff]$/.test(before.slice(drop - 1, drop + 1));
    if (isWhole && after.startsWith(before.slice(drop))) return drop;
  }
  return undefined;
}

test("[D6] the linear search finds the first accepted cut, as trying every cut does", () => {
  const text = fc.stringMatching(/^[ab]{0,40}$/);
  let found = 0;
  fc.assert(
    fc.property(text, text, fc.integer({ min: 1, max: 4 }), (before, after, step) => {
      const accepts = (units: number): boolean => units % step === 0;
      const isCut = (_: string, drop: number): boolean =>
        accepts(before.length - drop) && after.startsWith(before.slice(drop));
      const drop = findLongestOverlap(before, after, accepts);
      expect(drop ?? -1).toBe(before.split("").findIndex(isCut));
      if (drop !== undefined) found += 1;
    }),
    { numRuns: countOf({ here: 2_000, inCi: 20_000 }) },
  );
  expect(found).toBeGreaterThan(20);
});

test("[D6] O13: random Unicode windows stay equal and never leave a half pair", () => {
  const character = fc.constantFrom("a", "\n", "é", "›", "\u{1F4E4}", "\u{1F98A}");
  const slides = fc.array(fc.tuple(fc.nat(60), fc.array(character, { maxLength: 40, size: "max" })), { maxLength: 12 });
  let moved = 0;
  fc.assert(
    fc.property(fc.array(character, { minLength: 60, maxLength: 120, size: "max" }), slides, (start, steps) => {
      let window = start;
      const tracker = track({ text: window.join("") });
      const copy = apply<{ text: string }>(undefined, tracker.flush());
      for (const [drop, added] of steps) {
        window = [...window.slice(drop), ...added];
        tracker.state.text = window.join("");
        const batch = tracker.flush();
        expect(JSON.stringify(batch)).not.toMatch(/\\ud[89a-f]/);
        moved += batch.some(([verb]) => verb === "t") ? 1 : 0;
        expect(apply(copy, batch)).toEqual({ text: window.join("") });
      }
    }),
    { numRuns: countOf({ here: 500, inCi: 10_000 }) },
  );
  expect(moved).toBeGreaterThan(20);
});
