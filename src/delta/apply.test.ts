import { expect, test } from "vitest";
import { apply, isBase, track } from "./index.js";
import type { Batch, Json } from "./index.js";

const start = (): Json => ({ text: "abc", list: [1, 2, 3], deep: { list: [{ name: "n" }] } });

test.each<[name: string, batch: Batch, result: Json]>([
  ["s sets a key", [["s", ["text"], 1]], { ...(start() as object), text: 1 }],
  ["s adds a key", [["s", ["new"], [0]]], { ...(start() as object), new: [0] }],
  ["s sets an element", [["s", ["list", 1], "x"]], { ...(start() as object), list: [1, "x", 3] }],
  ["s one past the end adds an element", [["s", ["list", 3], 4]], { ...(start() as object), list: [1, 2, 3, 4] }],
  ["d deletes a key", [["d", ["text"]]], { list: [1, 2, 3], deep: { list: [{ name: "n" }] } }],
  [
    "a appends",
    [["a", ["deep", "list", 0, "name"], "!"]],
    { ...(start() as object), deep: { list: [{ name: "n!" }] } },
  ],
  ["t drops from the front", [["t", ["text"], 2]], { ...(start() as object), text: "c" }],
  ["p splices", [["p", ["list"], 1, 1, ["x", "y"]]], { ...(start() as object), list: [1, "x", "y", 3] }],
  ["p at the end appends", [["p", ["list"], 3, 0, [4]]], { ...(start() as object), list: [1, 2, 3, 4] }],
  [
    "r replaces everything, later ops act on it",
    [
      ["r", { a: "x" }],
      ["a", ["a"], "y"],
    ],
    { a: "xy" },
  ],
])("[D1] %s", (_name, batch, result) => {
  expect(apply(start(), batch)).toEqual(result);
});

test("[D1] O13: t counts UTF-16 code units", () => {
  const text = "\u{1F4E4}›é";
  expect(text.length).toBe(4);
  expect(apply({ text }, [["t", ["text"], 2]])).toEqual({ text: "›é" });
});

test("[D2] only r and p address the root", () => {
  expect(apply([1, 2], [["p", [], 1, 1, [3]]])).toEqual([1, 3]);
  expect(apply([1, 2], [["r", "now a string"]])).toBe("now a string");
  expect(() => apply([1, 2], [["s", [], 1]])).toThrow(expect.objectContaining({ code: "root_op", index: 0 }));
});

test("[D4] isBase tells a base batch", () => {
  expect(isBase([["r", 1]])).toBe(true);
  expect(isBase([["d", ["r"]]])).toBe(false);
  expect(isBase([])).toBe(false);
});

test("[D8] apply changes the value where it lies and gives it back", () => {
  const value = start();
  expect(apply(value, [["s", ["text"], "new"]])).toBe(value);
});

test("[D8] what apply inserts is a copy, and the batch is never changed", () => {
  const batch: Batch = Object.freeze([
    ["r", { list: [{ n: 1 }] }],
    ["s", ["made"], { deep: [1] }],
    ["p", ["list"], 0, 0, [{ n: 0 }]],
  ]);
  const before = JSON.stringify(batch);
  const first = apply(undefined, batch);
  const second = apply(undefined, batch);
  apply(first, [
    ["s", ["made", "deep", 0], 2],
    ["s", ["list", 0, "n"], 7],
    ["s", ["list", 1, "n"], 8],
  ]);
  expect(JSON.stringify(batch)).toBe(before);
  expect(second).toEqual({ list: [{ n: 0 }, { n: 1 }], made: { deep: [1] } });
});

test.each<[code: string, batch: Batch]>([
  ["missing_target", [["s", ["none", "x"], 1]]],
  ["missing_target", [["d", ["none"]]]],
  ["missing_target", [["a", ["none"], "x"]]],
  ["missing_target", [["a", ["list", 3], "x"]]],
  ["missing_target", [["s", ["list", 9, "x"], 1]]],
  ["missing_target", [["d", ["toString"]]]],
  ["missing_target", [["s", ["toString", "x"], 1]]],
  ["wrong_target", [["s", ["text", 0], 1]]],
  ["wrong_target", [["s", ["list", "0"], 1]]],
  ["wrong_target", [["s", ["list", "01"], 1]]],
  ["wrong_target", [["s", ["list", "length"], 0]]],
  ["wrong_target", [["s", ["deep", 0], 1]]],
  ["wrong_target", [["d", ["list", 0]]]],
  ["wrong_target", [["a", ["list"], "x"]]],
  ["wrong_target", [["t", ["deep"], 0]]],
  ["wrong_target", [["p", ["deep"], 0, 0, []]]],
  ["wrong_target", [["p", ["text"], 0, 0, []]]],
  ["out_of_range", [["s", ["list", 4], 1]]],
  ["out_of_range", [["s", ["list", 1e9], 1]]],
  ["out_of_range", [["p", ["list"], 4, 0, [1]]]],
  ["out_of_range", [["p", ["list"], 1, 3, []]]],
  ["out_of_range", [["t", ["text"], 4]]],
  ["refused_segment", [["s", ["__proto__", "x"], 1]]],
  ["refused_segment", [["s", ["constructor", "prototype", "x"], 1]]],
  ["unknown_verb", [["z", ["text"]] as never]],
  ["refused_segment", [["a", ["__proto__", "text"], "x"]]],
  ["refused_segment", [["t", ["deep", "constructor", "name"], 1]]],
  ["refused_segment", [["p", ["list", 0, "prototype"], 0, 0, []]]],
  ["bad_path", [["s", ["list", -1], 1]]],
  ["bad_path", [["s", ["list", Number.NaN], 1]]],
  ["misplaced_base", [["r", {}]]],
  ["not_json", [["s", ["text"], { bad: [undefined] } as never]]],
])(
  "[D11] X28, X29: an op that does not fit is an error %s with its index, and nothing of the batch stays: %j",
  (code, batch) => {
    const value = start();
    const edits: Batch = [
      ["s", ["made"], { x: [1] }],
      ["a", ["text"], "!"],
      ["t", ["text"], 1],
      ["d", ["deep"]],
      ["s", ["deep"], { list: [{ name: "m" }] }],
      ["p", ["list"], 0, 2, ["a", "b", "c", "d"]],
      ["s", ["list", 0], "z"],
      ["s", ["list", 5], "end"],
      ["p", ["list"], 3, 3, []],
      ["p", ["list"], 0, 0, []],
    ];
    expect(() => apply(value, [...edits, ...batch])).toThrow(expect.objectContaining({ code, index: edits.length }));
    expect(value).toEqual(start());
    expect(({} as { x?: unknown }).x).toBeUndefined();
  },
);

test("[D11] without a value only a base batch applies", () => {
  expect(() => apply(undefined, [["d", ["a"]]])).toThrow(expect.objectContaining({ code: "no_value", index: 0 }));
  expect(() => apply(undefined, [])).toThrow(expect.objectContaining({ code: "no_value" }));
  expect(() => apply("text", [["a", ["x"], "y"]])).toThrow(expect.objectContaining({ code: "wrong_target" }));
  expect(() => apply({}, {} as never)).toThrow(expect.objectContaining({ code: "not_a_batch" }));
});

test("[D11] a refused base batch leaves the old value as it was", () => {
  const value = start();
  expect(() =>
    apply(value, [
      ["r", { a: 1 }],
      ["d", ["b"]],
    ]),
  ).toThrow(expect.objectContaining({ code: "missing_target", index: 1 }));
  expect(value).toEqual(start());
});

test("[D11] a value that cannot be changed is an error of ours too, and stays", () => {
  const value = { open: 1, shut: Object.freeze({ a: 1 }) };
  const batch: Batch = [
    ["s", ["open"], 2],
    ["s", ["shut", "a"], 2],
  ];
  expect(() => apply(value, batch)).toThrow(expect.objectContaining({ code: "unwritable", index: 1 }));
  expect(value.open).toBe(1);
});

test("[D10] X28: prototype names are data as keys", () => {
  const hostile = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}') as Json;
  const value = apply<{ a?: Json }>({}, [["s", ["a"], hostile]]);
  expect(JSON.stringify(value.a)).toBe(JSON.stringify(hostile));
  expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test("[D10] only own properties are resolved, and a write passes no inherited setter", () => {
  let called = false;
  const base = Object.create({
    get trap() {
      return "inherited";
    },
    set trap(_value: unknown) {
      called = true;
    },
  }) as { trap?: number };
  expect(() => apply(base, [["a", ["trap"], "x"]])).toThrow(expect.objectContaining({ code: "missing_target" }));
  apply(base, [["s", ["trap"], 1]]);
  expect([called, Object.hasOwn(base, "trap")]).toEqual([false, true]);
});

test("[D10] a value may not become deeper than 256 levels", () => {
  const levels = (count: number): Json => (count === 1 ? [] : [levels(count - 1)]);
  const path = Array.from({ length: 60 }, () => 0);
  const value = (): Json => levels(61);
  expect(() => apply(value(), [["s", path, levels(196)]])).not.toThrow();
  expect(() => apply(value(), [["s", path, levels(197)]])).toThrow(
    expect.objectContaining({ code: "too_deep", index: 0 }),
  );
  const nested = track({ a: levels(100) as Json[] });
  expect(() => apply(nested.state.a, [["p", [], 0, 0, [levels(255)]]])).toThrow(
    expect.objectContaining({ code: "too_deep" }),
  );
});

test("[D11] a splice of very many items is undone too", () => {
  const value = { list: ["a", "b"] as Json[] };
  const items = Array.from({ length: 200_000 }, (_, index) => index);
  expect(() =>
    apply(value, [
      ["p", ["list"], 1, 0, items],
      ["d", ["none"]],
    ]),
  ).toThrow(expect.objectContaining({ index: 1 }));
  expect(value).toEqual({ list: ["a", "b"] });
  expect(apply(value, [["p", ["list"], 1, 0, items]]).list.length).toBe(200_002);
  expect(value.list.at(-1)).toBe("b");
});
