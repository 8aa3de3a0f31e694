import { expect, test } from "vitest";
import { EscapeFilter } from "./escape-filter.js";

test.each([
  ["a string", `\u001b]${"t".repeat(4_094)}`, "\u0007"],
  ["parameters", `\u001b[${"1".repeat(4_093)}`, "m"],
  ["a sequence in one character", `\u009b${"1".repeat(4_094)}`, "m"],
])("[X5] %s of 4,096 code units is removed, of one more it is given up", (_what, start, end) => {
  const one = start.at(-1) ?? "";

  expect(filter(`${start}${end}seen`)).toBe("seen");
  expect(filter(`${start}${one}${end}seen`)).toMatch(/^[tm]seen$/);
});

test.each([1, 2, 7, 4_090])("[X5] where a sequence is given up does not depend on reads of %i code units", (size) => {
  const text = `\u001b]${"t".repeat(5_000)}\u0007seen\u001b[${"1".repeat(5_000)}m\n`;

  expect(filter(text, size)).toBe(filter(text));
  expect(filter(text)).toBe(`${"t".repeat(906)}seen${"1".repeat(906)}m\n`);
});

function filter(text: string, size = text.length): string {
  const filtered = new EscapeFilter();
  let kept = "";
  for (let from = 0; from < text.length; from += size) kept += filtered.filter(text.slice(from, from + size));
  return kept;
}
