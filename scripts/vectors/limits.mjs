const MAX_DEPTH = 256;
const MAX_SEGMENTS = 64;

const nested = (levels) => (levels === 0 ? 0 : [nested(levels - 1)]);
const nestedObjects = (levels, inner) => (levels === 0 ? inner : { a: nestedObjects(levels - 1, inner) });
const path = (segments) => Array.from({ length: segments }, () => "a");

const tooDeep = (name, before, batch) => ({ name, before, batch, error: { code: "too_deep", index: 0 } });

/** A value has at most 256 levels at its place, a path at most 64 segments. */
export const limits = [
  { name: "r with 256 levels", batch: [["r", nested(MAX_DEPTH)]], after: nested(MAX_DEPTH) },
  { name: "r with 257 levels", batch: [["r", nested(MAX_DEPTH + 1)]], error: { code: "too_deep", index: 0 } },
  {
    name: "s with 255 levels one below the root",
    before: {},
    batch: [["s", ["a"], nested(MAX_DEPTH - 1)]],
    after: { a: nested(MAX_DEPTH - 1) },
  },
  tooDeep("s with 256 levels one below the root", {}, [["s", ["a"], nested(MAX_DEPTH)]]),
  tooDeep("s with 257 levels of objects", {}, [["s", ["a"], nestedObjects(MAX_DEPTH, {})]]),
  {
    name: "p with 255 levels in a root array",
    before: [],
    batch: [["p", [], 0, 0, [nested(MAX_DEPTH - 1)]]],
    after: [nested(MAX_DEPTH - 1)],
  },
  tooDeep("p with 256 levels in a root array", [], [["p", [], 0, 0, [1, nested(MAX_DEPTH)]]]),
  {
    name: "a path of 64 segments",
    before: nestedObjects(MAX_SEGMENTS - 1, { a: "x" }),
    batch: [["a", path(MAX_SEGMENTS), "y"]],
    after: nestedObjects(MAX_SEGMENTS - 1, { a: "xy" }),
  },
  {
    name: "192 levels below a path of 64 segments",
    before: nestedObjects(MAX_SEGMENTS, 0),
    batch: [["s", path(MAX_SEGMENTS), nested(MAX_DEPTH - MAX_SEGMENTS)]],
    after: nestedObjects(MAX_SEGMENTS, nested(MAX_DEPTH - MAX_SEGMENTS)),
  },
  tooDeep("193 levels below a path of 64 segments", nestedObjects(MAX_SEGMENTS, 0), [
    ["s", path(MAX_SEGMENTS), nested(MAX_DEPTH - MAX_SEGMENTS + 1)],
  ]),
  {
    name: "a path of 65 segments",
    before: nestedObjects(MAX_SEGMENTS + 1, 0),
    batch: [["s", path(MAX_SEGMENTS + 1), 1]],
    error: { code: "bad_path", index: 0 },
  },
  {
    name: "what came before in the batch is undone",
    before: { a: 1, t: "x" },
    batch: [
      ["s", ["a"], 2],
      ["a", ["t"], "y"],
      ["s", ["b"], nested(MAX_DEPTH)],
    ],
    error: { code: "too_deep", index: 2 },
  },
];
