const nested = (levels) => (levels === 0 ? 0 : [nested(levels - 1)]);

/** Behind a base, a definition and an op; the stream goes on as if the refused batch had not been. */
const refused = (code, wire, index = wire?.length - 1) => ({
  name: `${code}: ${JSON.stringify(wire).slice(0, 70)}`,
  steps: [
    { wire: [["r", { t: "a" }]], batch: [["r", { t: "a" }]] },
    {
      wire: [
        ["#", 0, ["t"]],
        ["a", 0, "1"],
      ],
      batch: [["a", ["t"], "1"]],
    },
    { wire, error: Array.isArray(wire) ? { code, index } : { code } },
    { wire: [["a", 0, "2"]], batch: [["a", ["t"], "2"]], after: { t: "a12" } },
  ],
});

const fine = ["a", ["t"], "x"];

/** Encoded batches that a decoder refuses, whatever the value is. */
export const malformedWire = [
  ...[null, "r", 0, {}, { 0: fine, length: 1 }].map((wire) => refused("not_a_batch", wire)),
  ...[["x", 0], ["toString", 0, 1], [["#"], 1, ["t"]], [], null, "d", {}].map((op) =>
    refused("unknown_verb", [fine, op]),
  ),
  ...[
    ["#"],
    ["#", 1],
    ["#", 1, ["t"], 0],
    ["r"],
    ["r", 1, 2],
    ["s", 0, 1, 2],
    ["d", 0, 1],
    ["p", 0],
    ["p", 0, 0, 0, [], 0],
  ].map((op) => refused("wrong_arity", [fine, op])),
  ...[-1, 1_024, 1.5, 1e300, "0", null, ["t"]].map((id) => refused("bad_path_id", [fine, ["#", id, ["t"]]])),
  ...[-1, 1_024, 0.5, 1e300].map((id) => refused("bad_path_id", [["a", id, "x"]])),
  ...["t", null, 0, {}, [null], [-1], [0.5], [["t"]], [true]].map((path) => refused("bad_path", [["#", 1, path]])),
  ...["t", null, true, {}].map((path) => refused("bad_path", [["a", path, "x"]])),
  refused("bad_path", [["#", 1, Array.from({ length: 65 }, () => "a")]]),
  ...["__proto__", "constructor", "prototype"].flatMap((key) => [
    refused("refused_segment", [["#", 1, ["o", key]]]),
    refused("refused_segment", [["s", [key, "x"], 1]]),
  ]),
  refused("unknown_path_id", [["a", 1, "x"]]),
  refused("unknown_path_id", [fine, ["d", 1_023]]),
  refused(
    "unknown_path_id",
    [
      ["a", 1, "x"],
      ["#", 1, ["t"]],
    ],
    0,
  ),
  refused("unknown_path_id", [
    ["r", { t: "" }],
    ["a", 0, "x"],
  ]),
  ...[["s", 1], ["d"], ["a", "x"], ["t", 1], ["p", 0, 0, []]].map((op) => refused("no_previous_path", [op])),
  refused("no_previous_path", [
    ["r", { t: "" }],
    ["a", "x"],
  ]),
  refused("no_previous_path", [
    ["#", 1, ["t"]],
    ["a", "x"],
  ]),
  refused("misplaced_base", [fine, ["r", {}]]),
  refused("misplaced_base", [
    ["#", 1, ["t"]],
    ["r", {}],
  ]),
  ...[
    ["s", [], 1],
    ["d", []],
    ["a", [], "x"],
    ["t", [], 1],
  ].map((op) => refused("root_op", [fine, op])),
  refused("root_op", [
    ["#", 1, []],
    ["s", 1, "x"],
  ]),
  refused("root_op", [["p", [], 0, 0, []], ["d"]]),
  ...[
    ["a", 1],
    ["a", 0, 1],
    ["a", ["t"], null],
  ].map((op) => refused("not_text", [fine, op])),
  ...[
    ["t", "1"],
    ["t", 0, -1],
    ["t", ["t"], 0.5],
    ["p", 0, -1, []],
    ["p", 0, 0, null, []],
  ].map((op) => refused("bad_count", [fine, op])),
  ...[
    ["p", "0", 0, []],
    ["p", 0, -1, 0, []],
    ["p", ["l"], 0.5, 0, []],
  ].map((op) => refused("bad_index", [fine, op])),
  ...[
    ["p", 0, 0, "x"],
    ["p", 0, 0, 0, {}],
  ].map((op) => refused("not_items", [fine, op])),
  refused("too_deep", [["r", nested(257)]]),
  refused("too_deep", [["s", 0, nested(256)]]),
  refused("too_deep", [fine, ["p", 0, 0, [1, nested(255)]]]),
];
