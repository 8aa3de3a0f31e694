import { expect, test } from "vitest";
import { countOf } from "./fixtures/counts.js";
import { forEachSeed } from "./fixtures/random.js";
import type { Random } from "./fixtures/random.js";
import { appendText, apply, slideText } from "./index.js";
import type { Op } from "./index.js";

interface Texts {
  a: string;
  b: string;
}

const long = (random: Random): string =>
  Array.from({ length: 60 }, () => random.text(120))
    .join("-")
    .padEnd(4_000, "=");

/** A cut that leaves no half of a character. */
function cutOf(text: string, random: Random): number {
  const count = random.int(random.oneIn(4) ? text.length : 300);
  const unit = text.charCodeAt(count);
  return unit >= 0xdc00 && unit <= 0xdfff ? count + 1 : Math.min(count, text.length);
}

test("[D12] a long text that slides and grows in a copy is what slicing and joining make of it", () => {
  forEachSeed(countOf({ here: 50, inCi: 1_000 }), (random) => {
    let copy = apply<Texts>(undefined, [["r", { a: long(random), b: long(random) }]]);
    const plain = { ...copy };
    for (let step = 0; step < 60; step += 1) {
      const key = random.pick(["a", "b"] as const);
      const drop = cutOf(plain[key], random);
      const text = random.text(random.oneIn(5) ? 3_000 : 40);
      plain[key] = plain[key].slice(drop) + text;
      const ops: Op[] = [
        ["t", [key], drop],
        ["a", [key], text],
      ];
      if (random.oneIn(2)) copy = apply(copy, ops);
      else slideText(copy, key, drop, text);
      if (random.oneIn(8)) copy[key] = plain[key] = long(random);
      if (random.oneIn(8)) {
        appendText(copy, key, "!");
        plain[key] += "!";
      }
      expect(copy[key] === plain[key]).toBe(true);
    }
    expect(copy).toEqual(plain);
  });
});

test("[D11] a batch that is refused leaves a long text that slides as it was, and it slides on", () => {
  forEachSeed(50, (random) => {
    let copy = apply<Texts>(undefined, [["r", { a: long(random), b: "" }]]);
    let plain = copy.a;
    for (let step = 0; step < 20; step += 1) {
      const drop = cutOf(plain, random);
      const slide: Op[] = [
        ["t", ["a"], drop],
        ["a", ["a"], random.text(600)],
      ];
      expect(() => apply(copy, [...slide, ["d", ["missing"]]])).toThrow(
        expect.objectContaining({ code: "missing_target", index: 2 }),
      );
      expect(copy.a === plain).toBe(true);
      copy = apply(copy, slide);
      plain = plain.slice(drop) + (slide[1]?.[2] as string);
      expect(copy.a === plain).toBe(true);
    }
  });
});

test("[D3] a cut inside a character of a long plain text is refused wherever the character lies", () => {
  const state = { text: `${"x".repeat(5_000)}\u{1F98A}${"y".repeat(5_000)}` };
  slideText(state, "text", 1_000, "\u{1F98A}");

  expect(() => slideText(state, "text", 4_001, "")).toThrow(expect.objectContaining({ code: "split_character" }));
  expect(() => slideText(state, "text", 9_003, "")).toThrow(expect.objectContaining({ code: "split_character" }));
  slideText(state, "text", 4_000, "");
  expect(state.text.startsWith("\u{1F98A}y")).toBe(true);
});
