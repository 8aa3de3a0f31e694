const base = (value) => [["r", value]];
const append = (text) => [["a", ["t"], text]];
const good = (seq, ops, t) => ({ message: { seq, ops }, value: { t }, seq, needsBase: false });
const held = (message, t, seq, needsBase, error) => ({
  message,
  value: { t },
  seq,
  needsBase,
  ...(error && { error }),
});
const restart = { restart: true };

/** What a consumer makes of the messages of a stream. `value` and `seq` are absent before the first base. */
export const messages = [
  {
    name: "a base and what follows it",
    steps: [good(0, base({ t: "" }), ""), good(1, append("a"), "a"), good(2, append("b"), "ab"), good(3, [], "ab")],
  },
  {
    name: "a stream may begin at any number, and a base come at any",
    steps: [
      good(7, base({ t: "a" }), "a"),
      good(8, append("b"), "ab"),
      good(20, base({ t: "c" }), "c"),
      good(21, append("d"), "cd"),
    ],
  },
  {
    name: "a base is taken at a number that has been",
    steps: [
      good(5, base({ t: "a" }), "a"),
      good(6, append("b"), "ab"),
      good(6, base({ t: "z" }), "z"),
      good(7, append("y"), "zy"),
    ],
  },
  {
    name: "what is part of the value already is passed over",
    steps: [
      good(7, base({ t: "ab" }), "ab"),
      held({ seq: 5, ops: append("a") }, "ab", 7, false),
      held({ seq: 7, ops: append("b") }, "ab", 7, false),
      good(8, append("c"), "abc"),
    ],
  },
  {
    name: "a gap changes nothing and leads to doubt until a base comes",
    steps: [
      good(0, base({ t: "a" }), "a"),
      held({ seq: 2, ops: append("c") }, "a", 0, true, "gap"),
      held({ seq: 1, ops: append("b") }, "a", 0, true),
      held({ seq: 3, ops: append("d") }, "a", 0, true),
      good(4, base({ t: "abcd" }), "abcd"),
      good(5, append("e"), "abcde"),
    ],
  },
  {
    name: "a stream that does not begin with a base is doubtful",
    steps: [
      { message: { seq: 0, ops: append("a") }, needsBase: true, error: "gap" },
      { message: { seq: 1, ops: append("b") }, needsBase: true },
      good(2, base({ t: "ab" }), "ab"),
    ],
  },
  {
    name: "an empty batch is no base",
    steps: [{ message: { seq: 0, ops: [] }, needsBase: true, error: "gap" }],
  },
  {
    name: "a new stream keeps the value on show until its base",
    steps: [
      good(3, base({ t: "a" }), "a"),
      restart,
      held({ seq: 4, ops: append("b") }, "a", 3, true, "gap"),
      restart,
      good(0, base({ t: "b" }), "b"),
      good(1, append("c"), "bc"),
    ],
  },
  {
    name: "a batch that does not fit is undone in whole",
    steps: [
      good(0, base({ t: "a" }), "a"),
      held({ seq: 1, ops: [...append("b"), ["p", ["t"], 0, 0, []]] }, "a", 0, true, "refused_ops"),
      held({ seq: 1, ops: append("b") }, "a", 0, true),
      good(1, base({ t: "ab" }), "ab"),
    ],
  },
  {
    name: "a base that does not fit leaves the old value",
    steps: [
      good(0, base({ t: "a" }), "a"),
      held(
        {
          seq: 1,
          ops: [
            ["r", { t: "b" }],
            ["a", ["gone"], "c"],
          ],
        },
        "a",
        0,
        true,
        "refused_ops",
      ),
      good(2, base({ t: "c" }), "c"),
    ],
  },
  ...[
    null,
    true,
    1,
    "text",
    [],
    [0, base({ t: "" })],
    {},
    { seq: 1 },
    { ops: [] },
    { seq: 1, ops: null },
    { seq: 1, ops: {} },
    { seq: 1, ops: "r" },
    { seq: "1", ops: append("b") },
    { seq: -1, ops: base({ t: "b" }) },
    { seq: 1.5, ops: base({ t: "b" }) },
    { seq: true, ops: base({ t: "b" }) },
    { seq: 9_007_199_254_740_992, ops: base({ t: "b" }) },
  ].map((message) => ({
    name: `no message: ${JSON.stringify(message)}`,
    steps: [
      good(0, base({ t: "a" }), "a"),
      held(message, "a", 0, true, "malformed_message"),
      good(9, base({ t: "b" }), "b"),
    ],
  })),
  {
    name: "fields that are not known are no reason for doubt",
    steps: [
      held({ seq: 0, ops: base({ t: "a" }), novel: 1 }, "a", 0, false),
      held({ novel: [], seq: 1, ops: append("b") }, "ab", 1, false),
    ],
  },
  {
    name: "path ids live from base to base, over messages that were passed over",
    steps: [
      good(0, [...base({ t: "a" }), ["#", 0, ["t"]], ["a", 0, "b"]], "ab"),
      held({ seq: 0, ops: [["#", 0, ["gone"]]] }, "ab", 0, false),
      good(1, [["a", 0, "c"]], "abc"),
      good(2, base({ t: "d" }), "d"),
      held({ seq: 3, ops: [["a", 0, "e"]] }, "d", 2, true, "refused_ops"),
    ],
  },
];
