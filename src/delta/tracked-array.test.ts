import { expect, test } from "vitest";
import { appendText, apply, track } from "./index.js";
import type { Batch, Json, Op, Tracker } from "./index.js";

function started(list: Json[]): Tracker<{ list: Json[] }> {
  const tracker = track({ list });
  tracker.flush();
  return tracker;
}

test.each<[name: string, edit: (list: Json[]) => unknown, gives: unknown, batch: Batch]>([
  ["push", (list) => list.push("x", "y"), 6, [["p", ["list"], 4, 0, ["x", "y"]]]],
  ["unshift", (list) => list.unshift("x", "y"), 6, [["p", ["list"], 0, 0, ["x", "y"]]]],
  ["pop", (list) => list.pop(), 4, [["p", ["list"], 3, 1, []]]],
  ["shift", (list) => list.shift(), 1, [["p", ["list"], 0, 1, []]]],
  ["splice", (list) => list.splice(1, 2, "x"), [2, 3], [["p", ["list"], 1, 2, ["x"]]]],
  ["splice from the end", (list) => list.splice(-1), [4], [["p", ["list"], 3, 1, []]]],
  ["splice with odd numbers", (list) => list.splice(Number.NaN, -4, "x"), [], [["p", ["list"], 0, 0, ["x"]]]],
  ["splice of nothing", (list) => list.splice(1, 0), [], []],
  ["splice without arguments", (list) => (list.splice as () => Json[])(), [], []],
  ["splice past the end", (list) => list.splice(99, 9, "x"), [], [["p", ["list"], 4, 0, ["x"]]]],
  ["an index one past the end", (list) => (list[4] = "x"), "x", [["p", ["list"], 4, 0, ["x"]]]],
  ["an index", (list) => (list[1] = "x"), "x", [["s", ["list", 1], "x"]]],
  ["a shorter length", (list) => (list.length = 1), 1, [["p", ["list"], 1, 3, []]]],
  ["the same length", (list) => (list.length = 4), 4, []],
  ["fill of a part", (list) => list.fill(0, 1, 3), [1, 0, 0, 4], [["p", ["list"], 1, 2, [0, 0]]]],
  ["copyWithin", (list) => list.copyWithin(0, 2), [3, 4, 3, 4], [["p", ["list"], 0, 2, [3, 4]]]],
  [
    "sort of a part",
    (list) => (list.sort((a, b) => key(a) - key(b)), [...list]),
    [2, 1, 3, 4],
    [["p", ["list"], 0, 2, [2, 1]]],
  ],
  [
    "sort of the middle",
    (list) => (list.sort((a, b) => order(a) - order(b)), [...list]),
    [1, 3, 2, 4],
    [["p", ["list"], 1, 2, [3, 2]]],
  ],
  ["copyWithin to its own place", (list) => list.copyWithin(1, 1), [1, 2, 3, 4], []],
  ["sort by text", (list) => Reflect.apply(list.sort, list, []), [1, 2, 3, 4], []],
  ["reverse", (list) => list.reverse(), [4, 3, 2, 1], [["s", ["list"], [4, 3, 2, 1]]]],
  ["a splice of everything", (list) => list.splice(0, 4, "x"), [1, 2, 3, 4], [["s", ["list"], ["x"]]]],
  ["fill of everything", (list) => list.fill(0), [0, 0, 0, 0], [["s", ["list"], [0, 0, 0, 0]]]],
])(
  "[D6] %s is at most one op, and what comes after it in the flush is told at its place",
  (_name, edit, gives, batch) => {
    const tracker = started([1, 2, 3, 4]);
    expect(edit(tracker.state.list)).toEqual(gives);
    expect(tracker.flush()).toEqual(batch);

    const [more, plain] = [started([1, 2, 3, 4]), [1, 2, 3, 4] as Json[]];
    for (const list of [more.state.list, plain]) {
      edit(list);
      list.push("last");
      list.splice(-2, 1);
      list[0] = "first";
    }
    expect(apply({ list: [1, 2, 3, 4] }, more.flush())).toEqual({ list: plain });
  },
);

/** Orders 2 before all else. */
function key(value: Json): number {
  return value === 2 ? 0 : 1;
}

/** Orders 3 before 2. */
function order(value: Json): number {
  return value === 2 ? 3 : Number(value === 3 ? 2 : value);
}

test("[D5] sort without a comparison orders by text, and leaves what is equal as it stood", () => {
  const { list } = started([10, 9, "1", true, 1, "b", "a"]).state;

  expect(Reflect.apply(list.sort, list, [])).toBe(list);
  expect(list).toEqual(["1", 1, 10, 9, "a", "b", true]);
});

test("[D5] nothing is taken from an empty array", () => {
  const tracker = started([]);

  expect([tracker.state.list.pop(), tracker.state.list.shift()]).toEqual([undefined, undefined]);
  tracker.state.list.push(1);
  expect(tracker.flush()).toEqual([["p", ["list"], 0, 0, [1]]]);
});

test("[D2] a splice of everything is r at the root and s elsewhere", () => {
  const root = track([1, 2]);
  root.flush();
  root.state[0] = 8;
  root.state[1] = 9;
  expect(root.flush()).toEqual([["r", [8, 9]]]);
  const tracker = started([1, 2]);
  tracker.state.list.length = 0;
  expect(tracker.flush()).toEqual([["s", ["list"], []]]);
});

test("[D6] pushes of one flush are one op, however many", () => {
  const tracker = started([]);
  for (let count = 0; count < 10_000; count += 1) tracker.state.list.push(count);
  const batch = tracker.flush();
  expect(batch.map(([verb]) => verb)).toEqual(["p"]);
  expect(apply({ list: [] }, batch)).toEqual(tracker.snapshot());
});

test("[D6] very many arguments are one op too", () => {
  const tracker = started([]);
  tracker.state.list.push(...Array.from({ length: 50_000 }, (_, index) => index));
  tracker.state.list.splice(25_000, 0, ...Array.from({ length: 50_000 }, () => "x"));
  const batch = tracker.flush();
  expect(batch.length).toBe(1);
  expect(apply({ list: [] as Json[] }, batch).list.length).toBe(100_000);
});

test("[D6] a queue and a window of elements are told by their ends", () => {
  const tracker = started(["a", "b", "c"]);
  for (const next of ["d", "e"]) {
    tracker.state.list.push(next);
    tracker.state.list.shift();
  }
  expect(tracker.flush()).toEqual([
    ["p", ["list"], 0, 2, []],
    ["p", ["list"], 1, 0, ["d", "e"]],
  ]);
});

test("[D6] elements that moved are told where they are now", () => {
  const tracker = started([{ n: 1 }, { n: 2 }, { n: 3, text: "a" }]);
  const last = tracker.state.list[2] as { n: number; text: string };
  tracker.state.list.shift();
  last.text += "b";
  tracker.state.list.unshift("x", "y");
  last.n = 30;
  expect(tracker.flush()).toEqual([
    ["p", ["list"], 0, 1, ["x", "y"]],
    ["a", ["list", 3, "text"], "b"],
    ["s", ["list", 3, "n"], 30],
  ]);
});

test("[D6] an element that came and changed in one flush is told once, as it is", () => {
  const tracker = started([1]);
  tracker.state.list.push({ text: "" });
  const added = tracker.state.list[1] as { text: string };
  added.text += "grown";
  tracker.state.list[0] = { n: 1 };
  (tracker.state.list[0] as { n: number }).n = 2;
  expect(tracker.flush()).toEqual([
    ["p", ["list"], 1, 0, [{ text: "grown" }]],
    ["s", ["list", 0], { n: 2 }],
  ]);
});

test("[D7] overwritten neighbours are one splice, and one that was put back is not told", () => {
  const tracker = started([1, 2, 3, 4, 5, 6]);
  for (const index of [4, 1, 2]) tracker.state.list[index] = "x";
  tracker.state.list[4] = 5;
  tracker.state.list[5] = "y";
  expect(tracker.flush()).toEqual([
    ["p", ["list"], 1, 2, ["x", "x"]],
    ["s", ["list", 5], "y"],
  ]);
});

test("[D7] texts of an array grow by their new end", () => {
  const tracker = started(["a", "b", "c"]);
  tracker.state.list[0] = "a1";
  tracker.state.list[1] = "other";
  tracker.state.list[2] = "c3";
  expect(tracker.flush()).toEqual([
    ["a", ["list", 0], "1"],
    ["s", ["list", 1], "other"],
    ["a", ["list", 2], "3"],
  ]);
});

test("[D5] reading methods give what plain arrays give", () => {
  const tracker = started([3, { n: 1 }, "x"]);
  const { list } = tracker.state;
  expect(Array.isArray(list)).toBe(true);
  expect([list.length, list.at(-1), list.includes(3), list.indexOf("x"), list.concat([1]).length]).toEqual([
    3,
    "x",
    true,
    2,
    4,
  ]);
  expect(list.map((value) => typeof value)).toEqual(["number", "object", "string"]);
  expect(list.slice(1)).toEqual([{ n: 1 }, "x"]);
  expect(list.find((value) => typeof value === "object")).toBe(list[1]);
  expect(tracker.dirty).toBe(false);
});

test("[D5] a method taken from a tracked array works on tracked arrays only", () => {
  const { push } = started([]).state.list;
  for (const other of [[], {}, null, undefined, "text", track({}).state])
    expect(() => Reflect.apply(push, other, [1])).toThrow(new TypeError("not a tracked array"));
});

test.each<[what: string, edit: (list: Json[]) => unknown, message: string]>([
  ["a hole", (list) => (list[3] = 1), 'hole: needs at most 2 (at ["list",3])'],
  ["a length that makes holes", (list) => (list.length = 3), 'hole: needs at most 2 (at ["list"])'],
  ["half a length", (list) => (list.length = 0.5), 'bad_count: needs an integer from 0 (at ["list"])'],
  [
    "nothing at its end",
    (list) => (list[2] = undefined as unknown as Json),
    'not_json: needs plain data or a finite number (at ["list",2])',
  ],
  ["an element that is deleted", (list) => Reflect.deleteProperty(list, 0), 'hole: needs splice (at ["list","0"])'],
  ["half an index", (list) => Object.assign(list, { "1.5": 1 }), 'not_json: needs an index (at ["list","1.5"])'],
  ["an index from the end", (list) => Object.assign(list, { "-1": 1 }), 'not_json: needs an index (at ["list","-1"])'],
  [
    "an index with a zero before it",
    (list) => Object.assign(list, { "01": 1 }),
    'not_json: needs an index (at ["list","01"])',
  ],
  ["a name", (list) => Object.assign(list, { name: 1 }), 'not_json: needs an index (at ["list","name"])'],
  ["a symbol", (list) => Object.assign(list, { [Symbol("s")]: 1 }), 'not_json: needs strings for keys (at ["list"])'],
])("[D5] %s is refused in an array, with its path and what is needed", (_what, edit, message) => {
  const tracker = started([{ n: 1 }, 2]);

  expect(() => edit(tracker.state.list)).toThrow(message);
  expect(tracker.dirty).toBe(false);
  expect(tracker.snapshot()).toEqual({ list: [{ n: 1 }, 2] });
});

test("[D5] deleting what is not there is nothing, as for plain arrays", () => {
  const { list } = started([1]).state;

  expect(Reflect.deleteProperty(list, 7)).toBe(true);
  expect(list).toEqual([1]);
});

test("[D5] an element's description holds what reading it gives", () => {
  const { list } = started([{ n: 1 }, "a"]).state;
  appendText(list as string[], 1, "b");

  const described = (key: string): unknown => Object.getOwnPropertyDescriptor(list, key)?.value;
  expect(described("0")).toBe(list[0]);
  expect([described("1"), described("length")]).toEqual(["ab", 2]);
  expect(Object.getOwnPropertyDescriptor(list, "2")).toBeUndefined();
});

test("[D7] elements that were overwritten and put back leave nothing to tell", () => {
  const tracker = started([1, "a", null]);
  for (const value of ["x", 1]) tracker.state.list[0] = value;
  for (const value of ["x", null]) tracker.state.list[2] = value;

  expect(tracker.dirty).toBe(false);
  expect(tracker.flush()).toEqual([]);
});

test("[D7] neighbours are one splice in whatever order they were written", () => {
  const tracker = started([1, 2, 3, 4]);
  for (const index of [2, 1]) tracker.state.list[index] = "x";

  expect(tracker.flush()).toEqual([["p", ["list"], 1, 2, ["x", "x"]]]);
});

test.each<[what: string, edit: (list: Json[]) => unknown, batch: Batch]>([
  ["nothing", () => undefined, []],
  ["an overwrite", (list) => (list[0] = 5), [["s", ["list", 0], 5]]],
  ["a push", (list) => list.push(5), [["p", ["list"], 2, 0, [5]]]],
])("[D11] an array with %s to tell tells that after a batch on it was refused", (_what, edit, batch) => {
  const tracker = started([{ n: 1 }, 2]);
  edit(tracker.state.list);
  const last = tracker.state.list.length - 1;
  const edits: Op[] = [
    ["s", ["list"], "gone"],
    ["s", ["list", 0], "gone"],
    ["s", ["list", last], "gone"],
  ];

  for (const first of edits)
    expect(() => apply(tracker.state as Json, [first, ["d", ["none"]]])).toThrow(
      expect.objectContaining({ code: "missing_target", index: 1 }),
    );

  expect(tracker.flush()).toEqual(batch);
});

test("[D5] comparing in sort sees tracked elements, and a comparison that throws changes nothing", () => {
  const tracker = started([{ n: 2 }, { n: 1 }]);
  const { list } = tracker.state;
  const seen = new Set<Json>();
  list.sort((a, b) => (seen.add(a).add(b), (a as { n: number }).n - (b as { n: number }).n));
  expect(seen).toEqual(new Set([list[0], list[1]]));
  tracker.flush();
  const fail = (): number => {
    throw new Error("no order");
  };
  expect(() => list.sort(fail)).toThrow("no order");
  expect(tracker.dirty).toBe(false);
});

test("[D6] elements are told in their order, set or grown", () => {
  const tracker = track<Json[]>(["a", "b", "c", "d"]);
  tracker.flush();
  tracker.state[0] = 1;
  tracker.state[1] = "b!";
  tracker.state[2] = 3;

  expect(tracker.flush()).toEqual([
    ["s", [0], 1],
    ["a", [1], "!"],
    ["s", [2], 3],
  ]);
});
