import { expect, test } from "vitest";
import { StatedText } from "./stated-text.js";
import { splitsCharacter } from "./surrogate.js";

test.each([
  ["\ud800\udc00", true],
  ["\udbff\udfff", true],
  ["\ud7ff\udc00", false],
  ["\udc00\udc00", false],
  ["\ud800\udbff", false],
  ["\ud800\ue000", false],
  ["ab", false],
])("[D3] between %j a cut leaves halves: %s", (units, isSplit) => {
  expect(splitsCharacter(units, 1)).toBe(isSplit);
});

test("[D3] no cut at a text's ends leaves halves, also where units before them are gone", () => {
  const text = new StatedText("\u{1F98A}\u{1F98A}", "text");
  text.slide(1, "");

  expect([0, 1, 2, 3].map((position) => splitsCharacter(text, position))).toEqual([false, false, true, false]);
  expect([-1, 0, 2, 3].map((position) => splitsCharacter("\u{1F98A}", position))).toEqual(Array(4).fill(false));
});
