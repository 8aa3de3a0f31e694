import type { Json } from "../../src/delta/index.js";

type Random = () => number;

/** A value that made-up ops have places in. */
export function startValue(): Json {
  return { text: "ab\u{1F98A}cd\u{1F98A}", list: [1, "\u{1F98A}x", { n: 3 }, []], object: { a: { b: null }, "": "é" } };
}

/** A batch whose ops mostly fit {@link startValue}; some are wrong in one way or another. */
export function makeUpBatch(random: Random): unknown {
  if (random() < 0.01) return pick(random, [null, "r", {}, 0]);
  return Array.from({ length: 1 + int(random, 4) }, (_, index) =>
    makeUpOp(random, index === 0, () => makeUpPath(random)),
  );
}

/** An encoded batch, of which ids and definitions are part. */
export function makeUpWire(random: Random, isFirst: boolean): unknown {
  const place = (): unknown => (random() < 0.4 ? pick(random, [0, 1, 2, 1_023, 1_024, -1]) : makeUpPath(random));
  const ops: unknown[] = isFirst ? [["#", 0, ["text"]]] : [];
  for (let count = 1 + int(random, 4); count > 0; count -= 1) {
    if (random() < 0.25) ops.push(["#", pick(random, [0, 1, 2, 1_023, 1_024, "0"]), makeUpPath(random)]);
    else ops.push(shorten(random, makeUpOp(random, ops.length === 0, place)));
  }
  return ops;
}

function makeUpOp(random: Random, isFirst: boolean, place: () => unknown): unknown {
  if (random() < 0.03)
    return pick(random, [null, [], {}, ["x", ["text"]], ["s", ["text"]], ["p", ["list"], 0, 0], ["d"]]);
  const verbs = isFirst ? ["s", "a", "a", "t", "t", "p", "d", "r"] : ["s", "a", "a", "t", "t", "p", "d"];
  switch (pick(random, verbs)) {
    case "s":
      return ["s", place(), makeUpValue(random, 3)];
    case "a":
      return ["a", textPlace(random, place), random() < 0.95 ? makeUpText(random) : makeUpValue(random, 1)];
    case "t":
      return ["t", textPlace(random, place), makeUpCount(random)];
    case "p":
      return ["p", random() < 0.7 ? ["list"] : place(), makeUpCount(random), makeUpCount(random), makeUpItems(random)];
    case "d":
      return ["d", place()];
    default:
      return ["r", { ...(startValue() as object), extra: makeUpValue(random, 3) }];
  }
}

/** An op whose path is left out, now and then. */
function shorten(random: Random, op: unknown): unknown {
  if (!Array.isArray(op) || op[0] === "r" || random() > 0.3) return op;
  const [verb, , ...operands] = op as unknown[];
  return [verb, ...operands];
}

function textPlace(random: Random, place: () => unknown): unknown {
  return random() < 0.6 ? pick(random, [["text"], ["list", 1], ["object", ""]]) : place();
}

const PLACES = [
  ["text"],
  ["list"],
  ["list", 0],
  ["list", 1],
  ["list", 2, "n"],
  ["list", 3],
  ["list", 3, 0],
  ["object"],
  ["object", "a"],
  ["object", "a", "b"],
  ["object", ""],
  ["new"],
];
const SEGMENTS = [
  "text",
  "list",
  "object",
  "a",
  "b",
  "n",
  "",
  "0",
  "__proto__",
  "constructor",
  "length",
  0,
  1,
  2,
  4,
  5,
  -1,
  1.5,
  null,
  true,
];

function makeUpPath(random: Random): unknown {
  if (random() < 0.75) return pick(random, PLACES);
  if (random() < 0.05) return pick(random, [null, "text", {}, 7]);
  return Array.from({ length: int(random, 4) }, () => pick(random, SEGMENTS));
}

function makeUpCount(random: Random): unknown {
  return random() < 0.95 ? int(random, 5) : pick(random, [-1, 1.5, "1", null, true, 2 ** 53, 9]);
}

function makeUpItems(random: Random): unknown {
  if (random() < 0.03) return pick(random, [null, "ab", {}, 1]);
  return Array.from({ length: int(random, 3) }, () => makeUpValue(random, 2));
}

function makeUpText(random: Random): string {
  return Array.from({ length: int(random, 4) }, () =>
    pick(random, ["a", "é", "\u{1F98A}", "\ud83e", "\udd8a", "日"]),
  ).join("");
}

function makeUpValue(random: Random, levels: number): unknown {
  if (levels > 0 && random() < 0.3)
    return Array.from({ length: int(random, 3) }, () => makeUpValue(random, levels - 1));
  if (levels > 0 && random() < 0.3) return { a: makeUpValue(random, levels - 1), constructor: makeUpText(random) };
  return random() < 0.4 ? makeUpText(random) : pick(random, [null, true, false, 0, 1, -2.5, 1e21, 2 ** 53]);
}

function int(random: Random, below: number): number {
  return Math.floor(random() * below);
}

function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[int(random, from.length)];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}
