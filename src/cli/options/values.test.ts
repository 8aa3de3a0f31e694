import { expect, test } from "vitest";
import { parseDuration } from "./duration.js";
import { parseLineRange } from "./line-range.js";
import { parseCount } from "./size.js";

test.each([
  ["90", 90],
  ["90s", 90],
  ["0.5", 0.5],
  ["1.5m", 90],
  ["2h", 7200],
])("the duration %s is %d seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each([
  ["", /not a duration.*90s.*5m/],
  ["soon", /not a duration/],
  ["-5", /not a duration/],
  ["5 m", /not a duration/],
  ["1e3", /not a duration/],
  ["0", /more than 0/],
  ["0m", /more than 0/],
  ["999h", /at most 2073600 seconds/],
])("[R4] the duration %j is refused in words", (text, message) => {
  expect(() => parseDuration(text)).toThrow(message);
});

const bytes = { unit: "bytes", min: 1, max: 204_800 } as const;
const lines = { unit: "lines", min: 1, max: 100_000 } as const;

test.each([
  ["1", 1],
  ["51200", 51_200],
  ["50k", 51_200],
  ["200K", 204_800],
])("the size %s is %d bytes", (text, count) => {
  expect(parseCount(text, bytes)).toBe(count);
});

test.each([
  ["0", bytes, /1 to 204800 bytes/],
  ["1m", bytes, /1 to 204800 bytes/],
  ["50kb", bytes, /not a number of bytes.*50k/],
  ["1.5", bytes, /not a number of bytes/],
  ["-1", lines, /not a number of lines.*2000/],
  ["2k", lines, /not a number of lines/],
  ["9".repeat(20), lines, /out of range; use 1/],
])("[R4] the count %j is refused in words", (text, range, message) => {
  expect(() => parseCount(text, range)).toThrow(message);
});

test.each([
  ["12", 12, 12],
  ["12-40", 12, 40],
  ["12-", 12, Infinity],
  ["-40", 1, 40],
])("the range %s is lines %d to %d", (text, first, last) => {
  expect(parseLineRange(text)).toEqual({ first, last });
});

test.each([
  ["", /no range of lines.*12-40/],
  ["-", /no range/],
  ["a-b", /no range/],
  ["1-2-3", /no range/],
  ["0-3", /first line, which is 1/],
  ["9-3", /ends before it begins/],
])("the range %j is refused with %s", (text, message) => {
  expect(() => parseLineRange(text)).toThrow(message);
});
