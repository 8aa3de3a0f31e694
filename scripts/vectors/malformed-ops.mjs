const before = { a: "text", l: [1, 2], o: { k: 1 } };
const fine = ["s", ["o", "k"], 2];

/** The bad op stands second, so what the first one did must be undone. */
const second = (code, op) => ({
  name: `${code}: ${shown(op)}`,
  before,
  batch: [fine, op],
  error: { code, index: 1 },
});

const shown = (op) => JSON.stringify(op).slice(0, 60);

/** Ops that are wrong whatever value they meet. */
export const malformedOps = [
  ...[null, true, 0, "r", "", {}, { 0: fine, length: 1 }].map((batch) => ({
    name: `not_a_batch: ${shown(batch)}`,
    before,
    batch,
    error: { code: "not_a_batch" },
  })),
  ...[
    ["x", ["a"], 1],
    ["S", ["a"], 1],
    ["", ["a"], 1],
    ["toString", ["a"], 1],
    ["__proto__", ["a"], 1],
    ["#", 0, ["a"]],
    [["s"], ["a"], 1],
    [{}, ["a"], 1],
    [null, ["a"]],
    [0],
    [],
    {},
    "s",
    null,
    1,
  ].map((op) => second("unknown_verb", op)),
  ...[
    ["s", ["a"]],
    ["s", ["a"], 1, 2],
    ["d"],
    ["d", ["a"], 1],
    ["a", ["a"]],
    ["a", "more"],
    ["a", ["a"], "b", "c"],
    ["t", 1],
  ].map((op) => second("wrong_arity", op)),
  ...[["p", ["l"], 0, 0], ["p", 0, 0, []], ["p", ["l"], 0, 0, [], []], ["r"], ["r", 1, 2]].map((op) =>
    second("wrong_arity", op),
  ),
  ...["a", null, 0, {}, { 0: "a", length: 1 }].map((path) => second("bad_path", ["s", path, 1])),
  ...[-1, 1.5, 1e300, null, true, ["a"], {}].map((segment) => second("bad_path", ["s", ["l", segment], 1])),
  ...["s", "a"].map((verb) => second("root_op", [verb, [], "x"])),
  second("root_op", ["d", []]),
  second("root_op", ["t", [], 1]),
  second("misplaced_base", ["r", {}]),
  ...[1, null, ["x"], {}, true].map((more) => second("not_text", ["a", ["a"], more])),
  ...[-1, 0.5, "1", null, [1], {}].map((count) => second("bad_count", ["t", ["a"], count])),
  ...[-1, 0.5, "0", null, []].map((index) => second("bad_index", ["p", ["l"], index, 0, []])),
  ...[-1, 0.5, "0", null, []].map((remove) => second("bad_count", ["p", ["l"], 0, remove, []])),
  ...["ab", null, 1, {}, { length: 0 }].map((items) => second("not_items", ["p", ["l"], 0, 0, items])),
  {
    name: "misplaced_base: a second base",
    before,
    batch: [
      ["r", 1],
      ["r", 2],
    ],
    error: { code: "misplaced_base", index: 1 },
  },
];
