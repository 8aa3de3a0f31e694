import { expect, test } from "vitest";
import { apply, assertOps, MAX_DEPTH, MAX_PATH_SEGMENTS } from "./index.js";
import type { Json } from "./index.js";

test("[D1] the validator takes every verb with its fields", () => {
  const batch = [
    ["r", { list: [], text: "" }],
    ["s", ["key"], null],
    ["d", ["key"]],
    ["a", ["text"], "more"],
    ["t", ["text"], 0],
    ["p", ["list"], 0, 0, [1, "two", {}]],
    ["p", [], 0, 1, []],
  ];
  expect(() => assertOps(batch)).not.toThrow();
});

test.each([
  ["not_a_batch", { 0: ["d", ["a"]] }],
  ["not_a_batch", "r"],
  ["not_a_batch", null],
])("[D10] what is no batch is refused: %s %j", (code, batch) => {
  expect(() => assertOps(batch)).toThrow(expect.objectContaining({ code }));
});

test.each([
  ["unknown_verb", ["x", ["a"], 1]],
  ["unknown_verb", ["toString", ["a"], 1]],
  ["unknown_verb", [["s"], ["a"], 1]],
  ["unknown_verb", []],
  ["unknown_verb", "s"],
  ["unknown_verb", null],
  ["wrong_arity", ["s", ["a"]]],
  ["wrong_arity", ["d", ["a"], 1]],
  ["wrong_arity", ["a", ["a"], "b", "c"]],
  ["wrong_arity", ["p", ["a"], 0, 0]],
  ["bad_path", ["s", "a", 1]],
  ["bad_path", ["s", { length: 1, 0: "a" }, 1]],
  ["bad_path", ["s", [-1], 1]],
  ["bad_path", ["s", [1.5], 1]],
  ["bad_path", ["s", [NaN], 1]],
  ["bad_path", ["s", [1e300], 1]],
  ["bad_path", ["s", [null], 1]],
  ["bad_path", ["s", [["a"]], 1]],
  ["bad_path", ["s", Array.from({ length: MAX_PATH_SEGMENTS + 1 }, () => "a"), 1]],
  ["refused_segment", ["s", ["__proto__", "x"], 1]],
  ["refused_segment", ["s", ["constructor", "prototype", "x"], 1]],
  ["refused_segment", ["a", ["a", "prototype"], "x"]],
  ["root_op", ["s", [], 1]],
  ["root_op", ["d", []]],
  ["root_op", ["a", [], "x"]],
  ["root_op", ["t", [], 1]],
  ["misplaced_base", ["r", {}]],
  ["not_text", ["a", ["a"], 1]],
  ["bad_count", ["t", ["a"], -1]],
  ["bad_count", ["t", ["a"], 0.5]],
  ["bad_count", ["t", ["a"], "1"]],
  ["bad_index", ["p", ["a"], -1, 0, []]],
  ["bad_index", ["p", ["a"], "0", 0, []]],
  ["bad_count", ["p", ["a"], 0, NaN, []]],
  ["not_items", ["p", ["a"], 0, 0, "ab"]],
  ["not_json", ["s", ["a"], undefined]],
  ["not_json", ["s", ["a"], { deep: [NaN] }]],
  ["not_json", ["p", ["a"], 0, 0, [() => 1]]],
  ["hole", ["s", ["a"], Array.from({ length: 0 }).concat(Object.assign([], { length: 1 }))]],
  ["too_deep", ["s", ["a"], nested(MAX_DEPTH)]],
])("[D10] X27, X28: a bad op is refused with %s and its index: %j", (code, op) => {
  const batch = [["d", ["fine"]], op];
  expect(() => assertOps(batch)).toThrow(expect.objectContaining({ code, index: 1 }));
});

test("[D10] a value may nest to the limit and keep prototype names as data", () => {
  const batch: unknown = [["r", nested(MAX_DEPTH)]];
  const named: unknown = JSON.parse('[["s",["a"],{"__proto__":{"constructor":1}}]]');
  expect(() => assertOps(batch)).not.toThrow();
  expect(() => assertOps(named)).not.toThrow();
});

test("[D10] a key whose value is undefined counts as absent, as in the text of the op", () => {
  const batch: unknown = [["s", ["a"], { x: undefined, y: 1 }]];
  assertOps(batch);
  expect(apply({}, batch)).toEqual({ a: { y: 1 } });
});

test("[D10] the message names place, limit and what to do", () => {
  const batch = [["s", ["a"], { list: [nested(MAX_DEPTH)] }]];
  expect(() => assertOps(batch)).toThrow(/^op 0: too_deep: needs at most 256 levels \(at \["a","list",0,0,/);
});

function nested(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}
