import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { appendText, apply, slideText, track } from "./index.js";
import type { Batch, Json } from "./index.js";

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

test.each<[why: string, descriptor: PropertyDescriptor]>([
  ["read-only", { value: 2, writable: false, enumerable: true, configurable: true }],
  ["hidden", { value: 2, writable: true, enumerable: false, configurable: true }],
  ["fixed", { value: 2, writable: true, enumerable: true, configurable: false }],
  ["read by a function", { get: () => 2, enumerable: true, configurable: true }],
  ["written by a function", { set: () => undefined, enumerable: true, configurable: true }],
])("[D5] a property that is %s is refused with its path", (_why, descriptor) => {
  const tracker = track({ o: { x: 1 } });
  tracker.flush();

  expect(() => Object.defineProperty(tracker.state.o, "x", descriptor)).toThrow(
    expect.objectContaining({ code: "not_json", path: ["o", "x"], reason: "needs plain data" }),
  );
  expect(tracker.dirty).toBe(false);
  Object.defineProperty(tracker.state.o, "x", { value: 2, writable: true, enumerable: true, configurable: true });
  expect(tracker.flush()).toEqual([["s", ["o", "x"], 2]]);
});

test("[D5] freezing, another prototype and symbols for keys are refused with what is needed", () => {
  const { state } = track({ o: {} });

  expect(() => Object.freeze(state.o)).toThrow('unwritable: needs a snapshot() to freeze (at ["o"])');
  expect(() => Object.setPrototypeOf(state.o, null) as unknown).toThrow('not_json: needs plain data (at ["o"])');
  expect(() => Object.assign(state.o, { [Symbol("s")]: 1 })).toThrow('not_json: needs strings for keys (at ["o"])');
});

test("[D5] the path of what is refused is where its container stands now", () => {
  const tracker = track<{ a: { t: string }[] }>({ a: [{ t: "one" }, { t: "two" }] });
  tracker.flush();
  const [first, second] = tracker.state.a;
  tracker.state.a.reverse();

  expect(() => Object.assign(first ?? {}, { x: NaN })).toThrow(expect.objectContaining({ path: ["a", 1, "x"] }));
  expect(() => Object.assign(second ?? {}, { x: NaN })).toThrow(expect.objectContaining({ path: ["a", 0, "x"] }));
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

test.each<[where: string, edit: (o: { x: number; y: { z: number } }) => unknown, batch: Batch]>([
  ["in itself", (o) => (o.x = 1), [["s", ["o", "x"], 1]]],
  ["in a part", (o) => (o.y.z = 1), [["s", ["o", "y", "z"], 1]]],
  ["in a text of its own", (o) => appendText(o as object as { t: string }, "t", "!"), [["a", ["o", "t"], "!"]]],
])("[D11] an object with changes %s still tells them after a refused batch took it away", (_where, edit, batch) => {
  const tracker = track({ o: { x: 0, y: { z: 0 }, t: "" } });
  tracker.flush();
  edit(tracker.state.o);

  expect(() =>
    apply(tracker.state as Json, [
      ["s", ["o"], 1],
      ["d", ["none"]],
    ]),
  ).toThrow(expect.objectContaining({ code: "missing_target", index: 1 }));
  expect(tracker.flush()).toEqual(batch);
});

test("[D4] what changed too deep for a path and was put back is nothing to tell", () => {
  const tracker = track(levels(80, { text: "x" }) as { deep: Json });
  tracker.flush();
  let place: Json | undefined = tracker.state;
  while (isObject(place) && place["deep"] !== undefined) place = place["deep"];
  for (const text of ["y", "x"]) Object.assign(place as object, { text });

  expect(tracker.flush()).toEqual([]);
});

test("[D5] plain objects of another realm are plain, their classes are not", () => {
  const tracker = track<{ a: Json }>({ a: null });
  tracker.state.a = runInNewContext('({ text: "a", list: [{}] })') as Json;

  expect(tracker.snapshot()).toEqual({ a: { text: "a", list: [{}] } });
  expect(() => (tracker.state.a = runInNewContext("new (class Own {})()") as Json)).toThrow("not_json");
});

test("[D5] deleting a symbol deletes nothing, whatever keys there are", () => {
  const { state } = track({ "Symbol(s)": 1 });

  expect(Reflect.deleteProperty(state, Symbol("s"))).toBe(true);
  expect(state).toEqual({ "Symbol(s)": 1 });
});

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
