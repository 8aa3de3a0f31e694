import { expect, test } from "vitest";
import { appendText, apply, assertOps, assertWireOps, decoder, slideText, track } from "./index.js";
import type { Batch, Json } from "./index.js";

const value = (): Json => ({ text: "abc", list: [1, 2], o: {}, n: 1 });

/** Each message says which op, what is needed, and where; people read it, programs read the code. */
test.each<[ops: unknown[], message: string]>([
  [[["s", ["text", "x", "y"], 1]], 'op 0: wrong_target: needs an object or array (at ["text"])'],
  [[["s", ["o", "x", "y", "z"], 1]], 'op 0: missing_target: needs an object or array (at ["o","x"])'],
  [[["s", ["o", 0], 1]], 'op 0: wrong_target: needs an array (at ["o",0])'],
  [[["s", ["list", "0"], 1]], 'op 0: wrong_target: needs an object (at ["list","0"])'],
  [[["s", ["list", 3], 1]], 'op 0: out_of_range: needs at most 2 elements (at ["list",3])'],
  [[["d", ["list", 0]]], 'op 0: wrong_target: needs an object (at ["list",0])'],
  [
    [
      ["s", ["n"], 2],
      ["d", ["x"]],
    ],
    'op 1: missing_target: needs a key (at ["x"])',
  ],
  [[["a", ["n"], "x"]], 'op 0: wrong_target: needs a string (at ["n"])'],
  [[["a", ["x"], "x"]], 'op 0: missing_target: needs a string (at ["x"])'],
  [[["t", ["text"], 4]], 'op 0: out_of_range: needs at most 3 code units (at ["text"])'],
  [[["p", ["o"], 0, 0, []]], 'op 0: wrong_target: needs an array (at ["o"])'],
  [[["p", ["list"], 3, 0, []]], 'op 0: out_of_range: needs at most 2 elements (at ["list"])'],
  [[["p", ["list"], 1, 2, []]], 'op 0: out_of_range: needs at most 1 elements (at ["list"])'],
])("[D10] what does not fit the value is named: %j", (ops, message) => {
  expect(messageOf(() => apply(value(), ops as Batch))).toBe(message);
  expect(messageOf(() => apply(track(value() as object).state as Json, ops as Batch))).toBe(message);
});

test.each<[ops: unknown, message: string]>([
  ["x", "not_a_batch: needs an array"],
  [[["x"]], "op 0: unknown_verb: needs r, s, d, a, t or p first"],
  [[["s", ["x"]]], "op 0: wrong_arity: needs 3 fields"],
  [[["s", "x", 1]], "op 0: bad_path: needs at most 64 keys and indexes"],
  [[["s", ["__proto__"], 1]], "op 0: refused_segment: needs the object around __proto__"],
  [[["s", [], 1]], "op 0: root_op: needs a key or index"],
  [
    [
      ["d", ["x"]],
      ["r", 1],
    ],
    "op 1: misplaced_base: needs r first",
  ],
  [[["a", ["x"], 1]], "op 0: not_text: needs a string"],
  [[["t", ["x"], -1]], "op 0: bad_count: needs an integer from 0"],
  [[["p", ["x"], 0.5, 0, []]], "op 0: bad_index: needs an integer from 0"],
  [[["p", ["x"], 0, 0, "x"]], "op 0: not_items: needs an array"],
  [[["p", ["x"], 5, 0, [1, { y: [NaN] }]]], 'op 0: not_json: needs plain data or a finite number (at ["x",6,"y",0])'],
  [[["s", ["x"], Array<number>(2)]], 'op 0: hole: needs no holes (at ["x",0])'],
])("[D10] what is wrong with the shape of ops is named: %j", (ops, message) => {
  expect(messageOf(() => assertOps(ops))).toBe(message);
});

test.each<[wire: unknown[], message: string]>([
  [[["s", 1_024, 1]], "op 0: bad_path_id: needs at most 1023"],
  [[["s", 0, 1]], "op 0: unknown_path_id: needs a base batch"],
  [[["s", 1]], "op 0: no_previous_path: needs a path"],
  [[["#", 0]], "op 0: wrong_arity: needs 3 fields"],
])("[D10] what is wrong with encoded ops is named: %j", (wire, message) => {
  expect(messageOf(() => decoder().decode(wire))).toBe(message);
});

test("[D10] where there is no value to change, the message asks for a base batch", () => {
  expect(messageOf(() => apply(undefined, []))).toBe("op 0: no_value: needs a base batch (at [])");
  expect(messageOf(() => apply("text", [["d", ["x"]]]))).toBe("op 0: wrong_target: needs a base batch (at [])");
  expect(messageOf(() => assertWireOps(null))).toBe("not_a_batch: needs an array");
});

test.each<[edit: (state: Record<string, string>) => void, message: string]>([
  [(state) => appendText(state, "none", "x"), 'missing_target: needs a string (at ["none"])'],
  [(state) => appendText(state, "n", "x"), 'wrong_target: needs a string (at ["n"])'],
  [(state) => appendText(state, "text", 1 as never), 'not_text: needs a string (at ["text"])'],
  [(state) => slideText(state, "text", -1, ""), 'bad_count: needs an integer from 0 (at ["text"])'],
  [(state) => slideText(state, "text", 9, ""), 'out_of_range: needs at most 3 code units (at ["text"])'],
  [(state) => slideText(state, "pair", 1, ""), 'split_character: needs a cut one earlier or later (at ["pair"])'],
  [() => appendText("text" as never, 0 as never, "x"), "wrong_target: needs an object or array (at [0])"],
])("[D14] what is wrong with a stated edit is named: %#", (edit, message) => {
  const state = { ...(value() as Record<string, string>), pair: "\u{1F98A}" };
  expect(messageOf(() => edit(state))).toBe(message);
  expect(messageOf(() => edit(track(state).state))).toBe(message);
});

test("[D5] what cannot be tracked is named with its place", () => {
  const cycle: Json[] = [];
  cycle.push(cycle);
  const { state } = track<{ o: { [key: string]: Json } }>({ o: {} });
  const write = (written: unknown) => (): unknown => (state.o["x"] = written as Json);

  expect(messageOf(() => track("text" as unknown as object))).toBe("not_json: needs an object or array (at [])");
  expect(messageOf(() => track({ x: NaN }))).toBe('not_json: needs plain data or a finite number (at ["x"])');
  expect(messageOf(write({ [Symbol("s")]: 1 }))).toBe('not_json: needs strings for keys (at ["o","x"])');
  expect(messageOf(write(cycle))).toMatch(/^cycle: needs a tree \(at \["o","x",0,/);
});

test("[D10] a value of the caller's that cannot change is named, with what it threw as the cause", () => {
  const error = errorOf(() => apply(Object.freeze({ x: 1 }), [["s", ["x"], 2]]));
  expect(error).toMatchObject({
    message: "op 0: unwritable: needs a value that can change",
    cause: expect.any(TypeError),
  });
});

test("[D10] an error has its class's name, and a place that is very long is cut", () => {
  let deep: Json = [];
  for (let level = 0; level < 300; level += 1) deep = [deep];
  const error = errorOf(() => apply({}, [["s", ["x"], deep]]));
  expect(error.name).toBe("DeltaError");
  expect(error.message.length).toBeLessThan(300);
});

test("[D8] a key whose value is undefined is left out of the copy, not kept as undefined", () => {
  const batch = [["s", ["a"], { x: undefined, y: 1 }]] as unknown as Batch;
  expect(apply({}, batch)).toStrictEqual({ a: { y: 1 } });
});

function messageOf(call: () => unknown): string {
  return errorOf(call).message;
}

function errorOf(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was refused");
}
