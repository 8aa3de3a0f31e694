import fc from "fast-check";
import { expect, test } from "vitest";
import { countControls } from "./byte-scan.js";
import { countNewlines } from "./newline-count.js";

const runs = process.env["CI"] === "true" ? 5_000 : 200;

test("[X3] newlines are counted as one by one, whatever the lines and wherever in memory the bytes begin", () => {
  const line = fc.constantFrom(1, 2, 7, 40, 79, 80, 81, 500, 3_000);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, fc.constantFrom(0, 0x0b, 0x61, 0x8a, 0xff)), { maxLength: 60 }),
      fc.nat(7),
      (lines, offset) => {
        const parts = lines.map(([length, fill]) => Buffer.concat([Buffer.alloc(length - 1, fill), Buffer.from("\n")]));
        const bytes = Buffer.concat([Buffer.alloc(offset), ...parts]).subarray(offset);

        expect(countNewlines(bytes)).toBe(lines.length);
        expect(countNewlines(bytes.subarray(0, -1))).toBe(Math.max(0, lines.length - 1));
        expect(countControls(bytes)).toBe(bytes.filter((byte) => byte < 0x20 && byte !== 0x0a).length);
      },
    ),
    { numRuns: runs },
  );
});

test("[X3] a long flood of newlines overflows no sum", () => {
  expect(countNewlines(Buffer.alloc(100_003, "\n"))).toBe(100_003);
});
