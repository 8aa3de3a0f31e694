const before = { text: "abc", n: 1, none: null, yes: true, list: [1, "two", { k: 0 }], object: { k: {} } };

/** Each alone, and behind ops of every kind that must be undone. */
const unfit = (code, op) => [
  { name: `${code}: ${JSON.stringify(op)}`, before, batch: [op], error: { code, index: 0 } },
  {
    name: `${code} behind others: ${JSON.stringify(op)}`,
    before,
    batch: [...harmless, op],
    error: { code, index: harmless.length },
  },
];

/** They leave the targets of the cases as they are. */
const harmless = [
  ["s", ["new"], { deep: [1] }],
  ["s", ["new", "deep", 1], 2],
  ["d", ["new", "deep"]],
  ["a", ["text"], "\u{1F98A}de"],
  ["t", ["text"], 4],
  ["s", ["text"], "abc"],
  ["p", ["list"], 1, 1, ["x", "y"]],
  ["p", ["list"], 1, 2, ["two"]],
  ["s", ["list", 3], "end"],
  ["p", ["list"], 3, 1, []],
  ["s", ["n"], 1],
  ["d", ["new"]],
];

/** Ops of right shape that do not fit the value. */
export const unfitOps = [
  { name: "no_value: an op before any base", batch: [["s", ["a"], 1]], error: { code: "no_value", index: 0 } },
  { name: "no_value: a splice before any base", batch: [["p", [], 0, 0, []]], error: { code: "no_value", index: 0 } },
  { name: "no_value: an empty batch before any base", batch: [], error: { code: "no_value", index: 0 } },
  ...["text", 1, null, true].flatMap((root) =>
    [
      ["s", ["a"], 1],
      ["p", [], 0, 0, []],
    ].map((op) => ({
      name: `wrong_target: ${JSON.stringify(op)} where the value is ${JSON.stringify(root)}`,
      before: root,
      batch: [op],
      error: { code: "wrong_target", index: 0 },
    })),
  ),
  ...[
    ["s", ["gone", "k"], 1],
    ["s", ["object", "gone", "k"], 1],
    ["s", ["list", 3, "k"], 1],
    ["d", ["gone"]],
    ["d", ["object", "gone"]],
    ["a", ["gone"], "x"],
    ["a", ["list", 3], "x"],
    ["t", ["gone"], 0],
    ["p", ["gone"], 0, 0, []],
    ["p", ["list", 3], 0, 0, []],
  ].flatMap((op) => unfit("missing_target", op)),
  ...[
    ["s", ["text", 0], "x"],
    ["s", ["text", "length"], 0],
    ["s", ["n", "k"], 1],
    ["s", ["none", "k"], 1],
    ["s", ["list", "0"], 1],
    ["s", ["list", "length"], 0],
    ["s", ["object", 0], 1],
    ["s", ["list", "2", "k"], 1],
    ["d", ["list", 0]],
    ["d", ["list", "0"]],
    ["d", [0]],
    ["a", ["n"], "x"],
    ["a", ["none"], "x"],
    ["a", ["yes"], "x"],
    ["a", ["list"], "x"],
    ["a", ["object"], "x"],
    ["a", ["list", 0], "x"],
    ["t", ["n"], 0],
    ["t", ["list"], 1],
    ["p", [], 0, 0, []],
    ["p", ["text"], 0, 1, []],
    ["p", ["object"], 0, 0, []],
    ["p", ["none"], 0, 0, []],
  ].flatMap((op) => unfit("wrong_target", op)),
  ...[
    ["s", ["list", 4], 1],
    ["s", ["list", 9_007_199_254_740_991], 1],
    ["t", ["text"], 4],
    ["t", ["text"], 9_007_199_254_740_991],
    ["p", ["list"], 4, 0, []],
    ["p", ["list"], 0, 4, []],
    ["p", ["list"], 3, 1, []],
    ["p", ["list"], 2, 9_007_199_254_740_991, []],
  ].flatMap((op) => unfit("out_of_range", op)),
  {
    name: "a base that is followed by what does not fit leaves the old value",
    before,
    batch: [
      ["r", { text: "new" }],
      ["a", ["text"], "er"],
      ["a", ["gone"], "x"],
    ],
    error: { code: "missing_target", index: 2 },
  },
];
