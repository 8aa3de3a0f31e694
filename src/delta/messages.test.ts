import { expect, test } from "vitest";
import { apply, assertOps, assertWireOps, decoder, track } from "./index.js";
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
