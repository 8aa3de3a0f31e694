import { refuse } from "./error.js";
import { readOp, readOps } from "./op-check.js";
import type { Batch, Json, Op, Path, Segment } from "./op.js";
import { placeOf } from "./plain-place.js";
import { refuseFound, textAt } from "./place.js";
import type { Place, Undo } from "./place.js";

/**
 * Folds a batch into a value and gives the value: the same one, changed where it lies, or the new one of a base batch.
 *
 * All or nothing: when an op is malformed or does not fit, what was applied is undone and a `DeltaError` with the
 * op's index is thrown. Values are copied in, so the batch stays the caller's. On a tracked value the edits are
 * stated to its tracker.
 */
export function apply<T = Json>(value: T | undefined, batch: Batch): T {
  let current: unknown = value;
  readOps(batch, (fields, index) => {
    const op = readOp(fields, index);
    if (op[0] !== "r") return applyOp(placeOf(current) ?? refuseRoot(current), op);
    current = op[1];
    return undefined;
  });
  return current === undefined ? refuseRoot(current) : (current as T);
}

type Edit = Exclude<Op, readonly ["r", Json]>;
type Splice = Extract<Op, readonly ["p", ...unknown[]]>;

function applyOp(root: Place, op: Edit): Undo {
  const [verb, path] = op;
  let place = root;
  for (let step = 0; step < path.length; step += 1) {
    const key = path[step] as Segment;
    const isIndex = typeof key === "number";
    if (isIndex !== (place.length !== undefined)) refuse("wrong_target", isIndex ? "an array" : "an object", path);
    if (verb !== "p" && step === path.length - 1) return applyAtKey(place, key, op);
    const found = place.find(key) as Place | null | undefined;
    place = found?.splice === undefined ? refuseFound(found, "an object or array", path.slice(0, step + 1)) : found;
  }
  return applySplice(place, op as Splice);
}

function applyAtKey(place: Place, key: Segment, op: Exclude<Edit, Splice>): Undo {
  const [verb, path] = op;
  if (verb === "s") {
    checkWithin(Number(key), place.length, "elements", path);
    return key === place.length ? place.splice(key, 0, [op[2]]) : place.put(key, op[2]);
  }
  if (verb === "d") {
    if (typeof key === "number") refuse("wrong_target", "an object", path);
    if (place.find(key) === undefined) refuse("missing_target", "a key", path);
    return place.put(key);
  }
  const [drop, text] = verb === "a" ? [0, op[2]] : [op[2], ""];
  checkWithin(drop, textAt(place, key, path).length, "code units", path);
  return place.slide(key, drop, text);
}

function applySplice(place: Place, [, path, index, remove, items]: Splice): Undo {
  const length = place.length ?? refuse("wrong_target", "an array", path);
  checkWithin(index, length, "elements", path);
  checkWithin(remove, length - index, "elements", path);
  return place.splice(index, remove, items);
}

/** An object has room for any key. */
function checkWithin(count: number, available = Infinity, unit: string, path: Path): void {
  if (count > available) refuse("out_of_range", `at most ${available} ${unit}`, path);
}

function refuseRoot(value: unknown): never {
  refuse(value === undefined ? "no_value" : "wrong_target", "a base batch", [], 0);
}
