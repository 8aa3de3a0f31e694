import stringWidth from "string-width";
import { expect, test } from "vitest";
import { fitLine } from "./fit.js";

test.each([
  ["a line that fits", 20, "a line that fits"],
  ["exactly ten", 11, "exactly ten"],
  ["one too many", 11, "one too ma…"],
  ["日本語日本語", 12, "日本語日本語"],
  ["日本語日本語", 7, "日本語…"],
  ["x", 0, ""],
])("%j in %i columns is %j", (line, columns, expected) => {
  expect(fitLine(line, columns)).toBe(expected);
});

test("a line is never wider than the columns, whatever it is made of", () => {
  for (const unit of ["a", "é", "日", "👩‍👩‍👧", "e\u0301\u0302\u0303"]) {
    for (const columns of [1, 7, 40])
      expect(stringWidth(fitLine(unit.repeat(500), columns))).toBeLessThanOrEqual(columns);
  }
});
