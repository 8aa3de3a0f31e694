import { expect, test } from "vitest";
import { track } from "./index.js";

test("[D4] the first flush is a base batch, later ones are not, and one with nothing changed is empty", () => {
  const tracker = track({ a: 1 });
  expect(tracker.flush()).toEqual([["r", { a: 1 }]]);
  expect(tracker.flush()).toEqual([]);
  tracker.state.a = 2;
  expect(tracker.dirty).toBe(true);
  expect(tracker.flush()).toEqual([["s", ["a"], 2]]);
});
