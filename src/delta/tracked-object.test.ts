import { expect, test } from "vitest";
import { appendText, apply, slideText, track } from "./index.js";
import type { Json } from "./index.js";

const levels = (count: number, inmost: Json = {}): Json => (count === 0 ? inmost : { deep: levels(count - 1, inmost) });

test("[D4] a key that came and went, or went and came back as it was, is nothing to tell", () => {
  const tracker = track<{ [key: string]: Json }>({ old: 1 });
  tracker.flush();
  tracker.state["new"] = 1;
  delete tracker.state["new"];
  delete tracker.state["old"];
  tracker.state["old"] = 1;

  expect(tracker.dirty).toBe(false);
  expect(tracker.flush()).toEqual([]);
});

test("[D14] a text that grew from nothing and lost all of it again is nothing to tell", () => {
  const tracker = track({ text: "" });
  tracker.flush();
  appendText(tracker.state, "text", "x");
  expect(tracker.dirty).toBe(true);
  slideText(tracker.state, "text", 1, "");

  expect(tracker.dirty).toBe(false);
  expect(tracker.flush()).toEqual([]);
});

test("[D5] a property's description holds what reading it gives", () => {
  const { state } = track<{ o: object; text: string; n: number }>({ o: {}, text: "a", n: 1 });
  appendText(state, "text", "b");

  const { o, text, n } = Object.getOwnPropertyDescriptors(state);
  expect(o.value).toBe(state.o);
  expect([text.value, n.value]).toEqual(["ab", 1]);
  expect(Object.getOwnPropertyDescriptor(state, "none")).toBeUndefined();
  expect(Object.getOwnPropertyDescriptor(state, Symbol("none"))).toBeUndefined();
});

test("[D5] what a value throws while it is copied comes out as it is, and nothing was written", () => {
  const tracker = track<{ a: Json }>({ a: 1 });
  tracker.flush();
  const thrown = new RangeError("not today");
  const value = {
    get x(): never {
      throw thrown;
    },
  };

  expect(() => (tracker.state.a = value as unknown as Json)).toThrow(thrown);
  expect(tracker.dirty).toBe(false);
});

test("[D5] what is refused far down is named by its whole path", () => {
  const { state } = track<{ a: { b: Json[] } }>({ a: { b: [0, 0] } });

  expect(() => (state.a.b[1] = { c: [1, NaN] })).toThrow(
    expect.objectContaining({ code: "not_json", path: ["a", "b", 1, "c", 1] }),
  );
});

test("[D5] a cycle is told from what is only deep, and the first fault is the one that is told", () => {
  const { state } = track<{ a?: Json }>({});
  const write = (value: unknown) => (): unknown => (state.a = value as Json);
  const cycle: { [key: string]: unknown } = { text: "aa", none: null };
  cycle["again"] = { cycle };

  expect(write(cycle)).toThrow(expect.objectContaining({ code: "cycle" }));
  expect(write({ fault: () => 0, cycle })).toThrow(expect.objectContaining({ code: "not_json", path: ["a", "fault"] }));
  expect(write({ text: "aa", none: null, value: levels(300, "aa") })).toThrow(
    expect.objectContaining({ code: "too_deep" }),
  );
  let endless: Json = [];
  for (let level = 0; level < 200_000; level += 1) endless = [endless];
  expect(write(endless)).toThrow(expect.objectContaining({ code: "too_deep" }));
});

test("[D10] an op on a tracked part is held to the levels that lie above it", () => {
  const tracker = track({ a: { b: {} } });

  expect(() => apply(tracker.state.a, [["s", ["b", "x"], levels(253)]])).toThrow(
    expect.objectContaining({ code: "too_deep", index: 0 }),
  );
  expect(() => apply(tracker.state.a, [["s", ["b", "x"], levels(252)]])).not.toThrow();
});

test("[D11] an object with changes to tell still tells them after a refused batch took it away", () => {
  const tracker = track({ o: { x: 0, y: { z: 0 } } });
  tracker.flush();
  tracker.state.o.x = 1;
  tracker.state.o.y.z = 1;

  expect(() =>
    apply<Json>(tracker.state, [
      ["s", ["o"], 1],
      ["d", ["none"]],
    ]),
  ).toThrow(expect.objectContaining({ code: "missing_target", index: 1 }));
  expect(tracker.flush()).toEqual([
    ["s", ["o", "x"], 1],
    ["s", ["o", "y", "z"], 1],
  ]);
});
