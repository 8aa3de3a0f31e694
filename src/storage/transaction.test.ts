import { expect, test } from "vitest";
import { listAddress, sessionScope } from "./address.js";
import { MAX_COMMIT_BYTES } from "./limits.js";
import { toJsonText } from "./json-text.js";
import { collectWrites } from "./transaction.js";

test("[S1] a commit of too many tiny writes is refused, so that its line stays one that can be read", () => {
  const list = listAddress<number>(sessionScope, "k".repeat(256));
  const count = Math.floor(MAX_COMMIT_BYTES / (150 + 256));
  const clear = (times: number): unknown =>
    collectWrites(sessionScope, (transaction) => {
      for (let place = 0; place < times; place += 1) transaction.clear(list);
    }).writes.length;

  expect(clear(count)).toBe(count);
  expect(() => clear(count + 1)).toThrow(/One commit holds at most 268435456 bytes of JSON and keys/);
});

test.each([
  ["an object", Object.defineProperty({ a: 1 }, "toJSON", { value: () => undefined })],
  ["an array", Object.assign([1], { toJSON: () => "other" })],
])("[S1] %s with a JSON form of its own is refused, since it would not come back equal", (_what, value) => {
  expect(() => toJsonText([value], "k")).toThrow(
    expect.objectContaining({
      code: "invalid_argument",
      message: "The value for k is not JSON: /0 has a `toJSON`. Store plain data.",
    }),
  );
});

test("[S1] a text that is longer than any string can be is refused in words", () => {
  // Each becomes six characters, which is more than half a gibibyte.
  const endless = "\u0001".repeat(90_000_000);

  expect(() => toJsonText(endless, "k")).toThrow(
    expect.objectContaining({
      code: "invalid_argument",
      message: "One commit holds at most 268435456 bytes of JSON and keys, and the value for k exceeds that; split it.",
    }),
  );
});
