import { expect, test } from "vitest";
import { apply, track } from "./index.js";
import type { Json, Tracker } from "./index.js";

/** A tracker whose base batch is told already. */
function started<T extends object>(initial: T): Tracker<T> {
  const tracker = track(initial);
  tracker.flush();
  return tracker;
}

test("[D4] the first flush is a base batch, later ones are not, and one with nothing changed is empty", () => {
  const tracker = track({ a: 1 });
  expect(tracker.flush()).toEqual([["r", { a: 1 }]]);
  expect(tracker.flush()).toEqual([]);
  tracker.state.a = 2;
  expect(tracker.flush()).toEqual([["s", ["a"], 2]]);
});

test("[D4] assigning the state and rebase make the next flush a base batch", () => {
  const tracker = started<Record<string, Json>>({ a: 1 });
  tracker.state["a"] = 2;
  tracker.rebase();
  expect(tracker.flush()).toEqual([["r", { a: 2 }]]);
  tracker.state = { b: 1 };
  tracker.state["b"] = 2;
  expect(tracker.flush()).toEqual([["r", { b: 2 }]]);
  tracker.state["b"] = 3;
  expect(tracker.flush()).toEqual([["s", ["b"], 3]]);
});

test("[D4] a splice of a whole root array is a base batch, filling an empty one is not", () => {
  const tracker = started<number[]>([1, 2]);
  tracker.state.splice(0, 2, 3);
  expect(tracker.flush()).toEqual([["r", [3]]]);
  tracker.state.length = 0;
  expect(tracker.flush()).toEqual([["r", []]]);
  tracker.state.push(4);
  expect(tracker.flush()).toEqual([["p", [], 0, 0, [4]]]);
});

test("[D4] dirty tells whether the next flush gives anything, also after a change and its opposite", () => {
  const tracker = track<{ a: number; list: number[]; text: string; o: { x: number } }>({
    a: 1,
    list: [1],
    text: "t",
    o: { x: 1 },
  });
  expect(tracker.dirty).toBe(true);
  tracker.flush();
  tracker.state.a = 2;
  tracker.state.text += "x";
  tracker.state.list.push(2);
  tracker.state.o.x = 2;
  expect(tracker.dirty).toBe(true);
  tracker.state.a = 1;
  tracker.state.text = "t";
  tracker.state.list.pop();
  expect(tracker.dirty).toBe(true);
  tracker.state.o.x = 1;
  expect(tracker.dirty).toBe(false);
  expect(tracker.flush()).toEqual([]);
});

test("[D4] a snapshot is a copy and leaves what is pending alone", () => {
  const tracker = started({ o: { x: 1 } });
  tracker.state.o.x = 2;
  const snapshot = tracker.snapshot();
  tracker.state.o.x = 3;
  snapshot.o.x = 9;
  expect(tracker.state).toEqual({ o: { x: 3 } });
  expect(tracker.flush()).toEqual([["s", ["o", "x"], 3]]);
});

test("[D5] state is mutated as plain objects are", () => {
  const tracker = started<Record<string, Json>>({ a: 1, o: { x: 1 } });
  Object.assign(tracker.state, { b: 2, c: [true, null] });
  delete tracker.state["a"];
  Object.defineProperty(tracker.state, "d", { value: "d", writable: true, enumerable: true, configurable: true });
  expect(Object.keys(tracker.state)).toEqual(["o", "b", "c", "d"]);
  expect(Object.entries(tracker.state).at(0)).toEqual(["o", { x: 1 }]);
  expect("a" in tracker.state).toBe(false);
  expect({ ...tracker.state }).toEqual({ o: { x: 1 }, b: 2, c: [true, null], d: "d" });
  expect(JSON.stringify(tracker.state)).toBe('{"o":{"x":1},"b":2,"c":[true,null],"d":"d"}');
  expect(tracker.flush()).toEqual([
    ["s", ["b"], 2],
    ["s", ["c"], [true, null]],
    ["d", ["a"]],
    ["s", ["d"], "d"],
  ]);
});

test("[D5] a value is copied in: what the program keeps is not the state", () => {
  const shared = { n: 1 };
  const tracker = started<Record<string, { n: number }>>({});
  tracker.state["a"] = shared;
  tracker.state["b"] = shared;
  shared.n = 2;
  const first = tracker.state["a"];
  if (first !== undefined) first.n = 3;
  expect(tracker.state).toEqual({ a: { n: 3 }, b: { n: 1 } });
});

test("[D5] a tracked child written elsewhere is a copy of it now", () => {
  const tracker = started<Record<string, Json[]>>({ a: [1] });
  const child = tracker.state["a"] ?? [];
  tracker.state["b"] = child;
  tracker.state["c"] = [child];
  child.push(2);
  expect(tracker.flush()).toEqual([
    ["s", ["b"], [1]],
    ["s", ["c"], [[1]]],
    ["p", ["a"], 1, 0, [2]],
  ]);
});

test("[D5] writing a tracked value to the path it already has is nothing", () => {
  const tracker = started({ o: { x: 1 }, list: [{ y: 1 }] });
  const { o, list } = tracker.state;
  tracker.state.o = o;
  tracker.state.list = list;
  const [first] = list;
  if (first !== undefined) list[0] = first;
  const { state } = tracker;
  tracker.state = state;
  expect(tracker.dirty).toBe(false);
  o.x = 2;
  expect(tracker.flush()).toEqual([["s", ["o", "x"], 2]]);
});

test("[D5] one container has one proxy, wherever its array moves it", () => {
  const tracker = started({ list: [{ n: 1 }, { n: 2 }, { n: 3 }] });
  const [first, second, third] = tracker.state.list;
  expect(tracker.state.list.shift()).toBe(first);
  tracker.state.list.reverse();
  expect([...tracker.state.list]).toEqual([third, second]);
  expect(tracker.state.list.indexOf(second as { n: number })).toBe(1);
  tracker.flush();
  if (second !== undefined) second.n = 20;
  expect(tracker.flush()).toEqual([["s", ["list", 1, "n"], 20]]);
});

test("[D5] what was removed can still be written and is no part of the state", () => {
  const tracker = started<{ o?: { x: number }; list: { n: number }[] }>({ o: { x: 1 }, list: [{ n: 1 }] });
  const { o } = tracker.state;
  delete tracker.state.o;
  const [removed] = tracker.state.list.splice(0, 1);
  tracker.flush();
  if (o !== undefined) o.x = 2;
  if (removed !== undefined) removed.n = 2;
  expect(o).toEqual({ x: 2 });
  expect(tracker.dirty).toBe(false);
  if (removed !== undefined) tracker.state.list.push(removed);
  expect(tracker.flush()).toEqual([["p", ["list"], 0, 0, [{ n: 2 }]]]);
});

test("[D5] undefined deletes a key, -0 is 0, and keys of undefined are left out", () => {
  const tracker = started<{ a?: number | undefined; n: number; o: object }>({ a: 1, n: 1, o: {} });
  tracker.state.a = undefined;
  tracker.state.n = -0;
  tracker.state.o = { x: undefined, y: [-0] };
  expect(Object.is(tracker.state.n, 0)).toBe(true);
  expect(tracker.flush()).toEqual([
    ["d", ["a"]],
    ["s", ["n"], 0],
    ["s", ["o"], { y: [0] }],
  ]);
});

const cycle: unknown[] = [];
cycle.push({ back: cycle });
const holes: unknown[] = [];
holes.length = 2;

test.each<[name: string, value: unknown, code: string]>([
  ["a function", () => 1, "not_json"],
  ["a symbol", Symbol("s"), "not_json"],
  ["a bigint", 1n, "not_json"],
  ["NaN", NaN, "not_json"],
  ["Infinity", -Infinity, "not_json"],
  ["a Map", new Map(), "not_json"],
  ["a Set", new Set(), "not_json"],
  ["a Date", new Date(0), "not_json"],
  [
    "a class instance",
    new (class Point {
      x = 1;
    })(),
    "not_json",
  ],
  ["a boxed string", Object("x"), "not_json"],
  ["a symbol key", { [Symbol("s")]: 1 }, "not_json"],
  ["holes", holes, "hole"],
  ["undefined as an element", [undefined], "not_json"],
  ["a cycle", cycle, "cycle"],
])("[D5] %s is refused where it is written, with its path", (_name, value, code) => {
  const tracker = started<{ list: unknown[]; o: Record<string, unknown> }>({ list: [0], o: {} });
  const refused = (path: Json[]): unknown => expect.objectContaining({ code, path: expect.arrayContaining(path) });
  expect(() => {
    tracker.state.o["key"] = value;
  }).toThrow(refused(["o", "key"]));
  expect(() => {
    tracker.state.o["key"] = { inner: [value] };
  }).toThrow(refused(["o", "key", "inner", 0]));
  expect(() => tracker.state.list.push(1, value)).toThrow(refused(["list", 2]));
  expect(() => {
    tracker.state.list[0] = value;
  }).toThrow(refused(["list", 0]));
  expect(() => track({ value: [value] })).toThrow(refused(["value", 0]));
  expect(tracker.dirty).toBe(false);
});

test("[D5] plain objects without a prototype are plain", () => {
  const tracker = started<Record<string, unknown>>({});
  tracker.state["a"] = Object.assign(Object.create(null) as object, { x: 1 });
  expect(tracker.flush()).toEqual([["s", ["a"], { x: 1 }]]);
});

test("[D5] a root that is no container is refused", () => {
  expect(() => track("text" as never)).toThrow(expect.objectContaining({ code: "not_json" }));
});

test("[D5] writes that leave holes or odd properties are refused with their path", () => {
  const tracker = started<{ list: number[] }>({ list: [1, 2] });
  const { list } = tracker.state;
  expect(() => {
    list[3] = 1;
  }).toThrow(expect.objectContaining({ code: "hole", path: ["list", 3] }));
  expect(() => {
    list.length = 3;
  }).toThrow(expect.objectContaining({ code: "hole" }));
  expect(() => {
    list.length = -1;
  }).toThrow(expect.objectContaining({ code: "bad_count" }));
  expect(() => Reflect.deleteProperty(list, 0)).toThrow(expect.objectContaining({ code: "hole" }));
  expect(() => Object.assign(list, { name: 1 })).toThrow(expect.objectContaining({ code: "not_json" }));
  expect(() => Object.freeze(list)).toThrow(expect.objectContaining({ code: "unwritable" }));
  expect(() => Object.setPrototypeOf(list, null) as unknown).toThrow(expect.objectContaining({ code: "not_json" }));
  expect(() => Object.defineProperty(list, 0, { get: () => 1 })).toThrow(expect.objectContaining({ code: "not_json" }));
  expect(() => Object.assign(tracker.state, { [Symbol("s")]: 1 })).toThrow(
    expect.objectContaining({ code: "not_json" }),
  );
  expect(tracker.dirty).toBe(false);
});

test("[D5] __proto__ and its like are keys as any other", () => {
  const tracker = started<Record<string, Json>>({});
  const hostile = JSON.parse('{"__proto__":{"x":1}}') as Record<string, Json>;
  tracker.state["o"] = hostile;
  Object.defineProperty(tracker.state, "constructor", {
    value: "c",
    writable: true,
    enumerable: true,
    configurable: true,
  });
  const copy = apply(undefined, [["r", tracker.snapshot()]]);
  expect(JSON.stringify(copy)).toBe('{"o":{"__proto__":{"x":1}},"constructor":"c"}');
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test("[D7] a thousand writes to two fields are told once each", () => {
  const tracker = started({ a: 0, b: "" });
  for (let count = 1; count <= 1_000; count += 1) {
    tracker.state.a = count;
    tracker.state.b = `at ${count}`;
  }
  expect(tracker.flush()).toEqual([
    ["s", ["a"], 1_000],
    ["a", ["b"], "at 1000"],
  ]);
});

test("[D7] a flush costs what changed, not what is there", () => {
  const rows = Array.from({ length: 100_000 }, (_, id) => ({ id, tags: ["a", "b"], text: "row" }));
  const tracker = track({ rows, done: 0 });
  tracker.flush();
  const started = performance.now();
  let ops = 0;
  for (let id = 0; id < 3_000; id += 1) {
    const row = tracker.state.rows[id];
    if (row !== undefined) row.text = "told";
    tracker.state.done = id;
    ops += tracker.flush().length;
  }
  // Reading all of it at each flush would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(ops).toBe(5_999);
});

test("[D7] a parent replaced after a child was written leaves no trace of the child", () => {
  const tracker = started<{ o: { child: { text: string; list: number[] } } }>({ o: { child: { text: "", list: [] } } });
  const { child } = tracker.state.o;
  child.text += "long text that nobody sees";
  child.list.push(1);
  tracker.state.o = { child: { text: "new", list: [] } };
  child.text += "more";
  tracker.state.o.child.list.push(2);
  expect(tracker.flush()).toEqual([["s", ["o"], { child: { text: "new", list: [2] } }]]);
  expect(tracker.flush()).toEqual([]);
});

test("[D7] what was changed and put back is not told", () => {
  const tracker = started<{ a: number; o: { x: number }; list: number[] }>({ a: 1, o: { x: 1 }, list: [1, 2, 3] });
  tracker.state.a = 5;
  tracker.state.a = 1;
  tracker.state.list.unshift(0);
  tracker.state.list.push(4);
  tracker.state.list.shift();
  tracker.state.list.pop();
  expect(tracker.flush()).toEqual([]);
});

test("[D7] O33: replacing, appending and replacing one text in a flush tells the last text only", () => {
  const tracker = started({ text: "" });
  tracker.state.text = "a";
  tracker.state.text += "b";
  tracker.state.text = "ab";
  tracker.state.text += "c";
  expect(tracker.flush()).toEqual([["a", ["text"], "abc"]]);
});

test("[D8] what a flush gives does not change with the state", () => {
  const tracker = track<{ o: { list: { n: number }[] } }>({ o: { list: [] } });
  const base = tracker.flush();
  tracker.state.o = { list: [{ n: 1 }] };
  const set = tracker.flush();
  tracker.state.o.list.push({ n: 2 });
  const push = tracker.flush();
  for (const item of tracker.state.o.list) item.n = 9;
  tracker.state.o.list.length = 0;
  expect([base, set, push]).toEqual([
    [["r", { o: { list: [] } }]],
    [["s", ["o"], { list: [{ n: 1 }] }]],
    [["p", ["o", "list"], 1, 0, [{ n: 2 }]]],
  ]);
});

test("[D1] a change deeper than 64 segments is told as the value at the 64th", () => {
  const levels = (count: number): Json => (count === 0 ? { text: "x" } : { in: levels(count - 1) });
  const tracker = started({ in: levels(80) });
  const copy = apply(undefined, [["r", tracker.snapshot()]]);
  let place: Json = tracker.state;
  while (typeof place === "object" && place !== null && !Array.isArray(place) && place["in"] !== undefined)
    place = place["in"];
  (place as { text: string }).text = "deep";
  const ops = tracker.flush();
  expect(ops.map((op) => op[0] !== "r" && op[1].length)).toEqual([64]);
  expect(apply(copy, ops)).toEqual(tracker.snapshot());
});
