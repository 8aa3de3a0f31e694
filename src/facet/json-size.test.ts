import { assert, constantFrom, dictionary, jsonValue, oneof, property, string } from "fast-check";
import { expect, test } from "vitest";
import { jsonBytes, utf8Bytes } from "./json-size.js";

const texts = string({
  unit: oneof(string({ unit: "binary" }), constantFrom("\n", '"', "\\", "\u0001", "\ud83e", "é", "🦊")),
});
const options = { numRuns: process.env["CI"] === "true" ? 5_000 : 500 };

test("[F3] the size of a state is that of its JSON in UTF-8", () => {
  assert(
    property(jsonValue({ stringUnit: "binary" }), dictionary(texts, texts), (value, strings) => {
      const state = { value, strings, absent: undefined };
      expect(jsonBytes(state)).toBe(Buffer.byteLength(JSON.stringify(state)));
    }),
    options,
  );
});

test("[F3] the size of a text is that of its UTF-8", () => {
  assert(
    property(texts, (text) => {
      expect(utf8Bytes(text)).toBe(Buffer.byteLength(text));
    }),
    options,
  );
});
