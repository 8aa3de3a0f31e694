import { expect, test } from "vitest";
import { apply, decoder, encoder, track } from "./index.js";
import type { Batch, Json } from "./index.js";

const before: Json = { text: "one two", list: [1, 2, 3], n: 1 };
const after: Json = { text: "two three", list: [1, 3, 4], n: 1 };

const correct: Batch[] = [
  [["r", after]],
  [
    ["s", ["text"], "two three"],
    ["s", ["list"], [1, 3, 4]],
  ],
  [
    ["t", ["text"], 4],
    ["a", ["text"], " three"],
    ["p", ["list"], 1, 1, []],
    ["p", ["list"], 2, 0, [4]],
  ],
  [
    ["p", ["list"], 1, 2, [3]],
    ["s", ["list", 2], 4],
    ["a", ["text"], " three"],
    ["t", ["text"], 1],
    ["t", ["text"], 3],
    ["s", ["n"], 2],
    ["s", ["n"], 1],
  ],
  [
    ["d", ["n"]],
    ["s", ["n"], 1],
    ["s", ["list", 3], 4],
    ["p", ["list"], 1, 1, []],
    ["a", ["text"], ""],
    ["s", ["text"], "two"],
    ["a", ["text"], " three"],
  ],
];

test.each(correct)("[D13] a consumer comes to one value by any correct batch, encoded or not: %#", (...ops) => {
  const batch: Batch = ops;
  const wire = [encoder().encode(batch), batch];
  for (const form of wire) {
    const received = decoder().decode(JSON.parse(JSON.stringify(form)));
    expect(apply(structuredClone(before), received)).toEqual(after);
  }
});

test("[D13] a second tracker that folds any correct batch tells the same value on", () => {
  for (const batch of correct) {
    const tracker = track({ fold: structuredClone(before) });
    const copy = apply<{ fold: Json }>(undefined, tracker.flush());
    tracker.state.fold = apply(tracker.state.fold, batch);
    expect(apply(copy, tracker.flush())).toEqual({ fold: after });
  }
});
