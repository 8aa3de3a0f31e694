import { atOp, refuse } from "./error.js";
import { copyJson } from "./json.js";
import { MAX_PATH_IDS } from "./op.js";
import type { Batch, Json, Op, Path } from "./op.js";
import { checkPath, isCount } from "./path.js";
import type { Undo } from "./place.js";

/** The validator for batches from outside. Throws a `DeltaError` with the op's index; whether ops fit a value is `apply`'s question. */
export function assertOps(value: unknown): asserts value is Batch {
  readOps(value, (fields, index) => void readOp(fields, index));
}

/** The fields of an op, verb first, before anything about them is known. */
export type Fields = readonly unknown[];

/**
 * Hands over the ops of a batch from outside, first to last. What is thrown over one gets its index, and what was done for those
 * before it is undone.
 */
export function readOps(batch: unknown, read: (fields: Fields, index: number) => Undo | void): void {
  if (!Array.isArray(batch)) refuse("not_a_batch", "an array");
  const undos: (Undo | void)[] = [];
  let index = 0;
  try {
    for (; index < batch.length; index += 1) {
      const fields: unknown = batch[index];
      undos.push(read(Array.isArray(fields) ? fields : [], index));
    }
  } catch (error) {
    for (const undo of undos.reverse()) undo?.();
    throw atOp(error, index);
  }
}

/** How a stream names paths other than inline. */
export interface PathNames {
  /** By path id. */
  ids: Path[];
  /** The path of the op before in the batch. */
  previous: Path | undefined;
}

/**
 * An op in full, checked, with a copy of the values that it carries. Without `names` its path stands inline.
 */
export function readOp(fields: Fields, index: number, names?: PathNames): Op {
  const verb = fields[0] as Op[0];
  const arity = ARITIES.get(verb) ?? refuse("unknown_verb", "r, s, d, a, t or p first");
  // An op that leaves its path out is one field short.
  const from = names !== undefined && verb !== "r" && fields.length < arity ? 1 : 2;
  checkArity(fields, arity + from - 2);
  if (verb === "r") {
    return index > 0 ? refuse("misplaced_base", "r first") : [verb, copyJson(fields[1], [])];
  }
  const path = from === 1 ? (names?.previous ?? refuse("no_previous_path", "a path")) : readPath(fields[1], names);
  if (path.length === 0 && verb !== "p") refuse("root_op", "a key or index");
  const first = fields[from];
  switch (verb) {
    case "s":
      return [verb, path, copyJson(first, path)];
    case "d":
      return [verb, path];
    case "a":
      return [verb, path, typeof first === "string" ? first : refuse("not_text", "a string")];
    case "t":
      return [verb, path, readCount(first, "bad_count")];
    default: {
      const [at, remove] = [readCount(first, "bad_index"), readCount(fields[from + 1], "bad_count")];
      const items = fields[from + 2];
      if (!Array.isArray(items)) refuse("not_items", "an array");
      return [verb, path, at, remove, copyJson(items, path, at) as Json[]];
    }
  }
}

export function checkArity(fields: Fields, arity: number): void {
  if (fields.length !== arity) refuse("wrong_arity", `${arity} fields`);
}

/** Refuses what is no path id of a stream. */
export function readPathId(id: unknown): number {
  return isCount(id) && id < MAX_PATH_IDS ? id : refuse("bad_path_id", `at most ${MAX_PATH_IDS - 1}`);
}

/** Fields of an op, the verb included. */
const ARITIES: ReadonlyMap<unknown, number> = new Map([
  ["r", 2],
  ["s", 3],
  ["d", 2],
  ["a", 3],
  ["t", 3],
  ["p", 5],
]);

function readPath(ref: unknown, names: PathNames | undefined): Path {
  if (typeof ref !== "number" || names === undefined) return checkPath(ref);
  return names.ids[readPathId(ref)] ?? refuse("unknown_path_id", "a base batch");
}

function readCount(count: unknown, code: "bad_count" | "bad_index"): number {
  return isCount(count) ? count : refuse(code, "an integer from 0");
}
