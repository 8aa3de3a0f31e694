import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toShellText } from "./shell-text.js";

test("[R1] one argument is shell text as it stands", () => {
  expect(toShellText(["make 2>&1 | tee 'the log'"])).toBe("make 2>&1 | tee 'the log'");
});

test("[R1] several arguments are quoted where they must be", () => {
  expect(toShellText(["make", "-j8", "CFLAGS=-O2", "a b", "it's", "$HOME", ""])).toBe(
    `make -j8 CFLAGS=-O2 'a b' 'it'\\''s' '$HOME' ''`,
  );
});

test("[R1] a shell reads several arguments back as they were", () => {
  const word = fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll("\0", ""));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const command = toShellText([process.execPath, "-p", "JSON.stringify(process.argv.slice(1))", "--", ...words]);
      const output = execFileSync("sh", ["-c", command], { encoding: "utf8" });

      expect(JSON.parse(output)).toEqual(words);
    }),
    { numRuns: process.env["CI"] === "true" ? 40 : 8 },
  );
});
