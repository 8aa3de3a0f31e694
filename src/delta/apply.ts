import { DeltaError } from "./error.js";
import { copyItems, copyJson } from "./json.js";
import { assertBatch, atOp, checkOp } from "./op-check.js";
import type { Batch, Json, Op, Path, Segment } from "./op.js";
import { placeOf } from "./plain-place.js";
import type { Place, Undo } from "./place.js";

/**
 * Folds a batch into a value and gives the value: the same one, changed where it lies, or the new one of a base batch.
 *
 * All or nothing: when an op is malformed or does not fit, what was applied is undone and a {@link DeltaError} with the
 * op's index is thrown. Values are copied in, so the batch stays the caller's. On a tracked value the edits are
 * stated to its tracker.
 */
export function apply<T = Json>(value: T | undefined, batch: Batch): T {
  assertBatch(batch);
  const undos: Undo[] = [];
  let current: unknown = value;
  let index = 0;
  try {
    for (; index < batch.length; index += 1) {
      const op: unknown = batch[index];
      checkOp(op, index);
      if (op[0] === "r") current = copyJson(op[1], []);
      else undos.push(applyOp(current, op));
    }
    if (current === undefined) throw noValue();
    return current as T;
  } catch (error) {
    for (const undo of undos.reverse()) undo();
    throw refusal(error, index);
  }
}

type Edit = Exclude<Op, readonly ["r", Json]>;

function applyOp(root: unknown, op: Edit): Undo {
  if (root === undefined) throw noValue();
  const place = rootPlace(root, op);
  if (op[0] === "p") return applySplice(place, op);
  const path = op[1];
  const parent = enterPath(place, path, path.length - 1);
  return applyAtKey(parent, op, place.levels);
}

function applyAtKey(parent: Place, op: Exclude<Edit, readonly ["p", ...unknown[]]>, above: number): Undo {
  const path = op[1];
  const key = lastOf(path);
  checkKeyKind(parent, key, path);
  switch (op[0]) {
    case "s":
      if (parent.length !== undefined && Number(key) > parent.length)
        throw outOfRange(Number(key), parent.length, path);
      return parent.put(key, copyJson(op[2], path, above));
    case "d":
      if (typeof key === "number")
        throw new DeltaError("wrong_target", "d deletes object keys; use p on an array", { path });
      if (!parent.holds(key)) throw missing(path);
      return parent.remove(key);
    case "a":
      textAt(parent, key, path);
      return parent.append(key, op[2]);
    default:
      checkDrop(op[2], textAt(parent, key, path), path);
      return parent.drop(key, op[2]);
  }
}

function applySplice(root: Place, op: Extract<Op, readonly ["p", ...unknown[]]>): Undo {
  const [, path, index, remove, items] = op;
  const target = enterPath(root, path, path.length);
  const length = target.length;
  if (length === undefined) throw new DeltaError("wrong_target", "p splices an array, an object is there", { path });
  if (index > length) throw outOfRange(index, length, path);
  if (remove > length - index) {
    throw new DeltaError("out_of_range", `p removes ${remove} elements at ${index} of an array of ${length}`, { path });
  }
  return target.splice(index, remove, copyItems(items, path, index, root.levels));
}

function rootPlace(root: unknown, op: Edit): Place {
  const place = placeOf(root);
  if (place === undefined)
    throw new DeltaError("wrong_target", `${op[0]} needs an object or array, the value is neither`);
  return place;
}

/** Walks the first `count` segments of a path, own properties only. */
function enterPath(root: Place, path: Path, count: number): Place {
  let place = root;
  for (let depth = 0; depth < count; depth += 1) {
    const key = path[depth] ?? "";
    checkKeyKind(place, key, path);
    const next = place.holds(key) ? place.enter(key) : undefined;
    if (next === undefined) throw deadEnd(place, key, path.slice(0, depth + 1));
    place = next;
  }
  return place;
}

function deadEnd(place: Place, key: Segment, path: Path): DeltaError {
  if (!place.holds(key)) return missing(path);
  return new DeltaError("wrong_target", "the path goes on, but no object or array is here", { path });
}

function checkKeyKind(place: Place, key: Segment, path: Path): void {
  if (typeof key === "number" && place.length === undefined) {
    throw new DeltaError("wrong_target", "an index cannot address an object; use its key", { path });
  }
  if (typeof key === "string" && place.length !== undefined) {
    throw new DeltaError("wrong_target", "a key cannot address an array; use an index", { path });
  }
}

function textAt(parent: Place, key: Segment, path: Path): number {
  if (!parent.holds(key)) throw missing(path);
  const length = parent.textLength(key);
  if (length === undefined)
    throw new DeltaError("wrong_target", "a and t change a string, something else is there", { path });
  return length;
}

function checkDrop(count: number, length: number, path: Path): void {
  if (count <= length) return;
  throw new DeltaError("out_of_range", `t drops ${count} code units of a string of ${length}`, { path });
}

function lastOf(path: Path): Segment {
  const key = path.at(-1);
  if (key === undefined) throw missing(path);
  return key;
}

function missing(path: Path): DeltaError {
  return new DeltaError("missing_target", "nothing is there; ask for a base batch", { path });
}

function outOfRange(index: number, length: number, path: Path): DeltaError {
  return new DeltaError("out_of_range", `index ${index} lies more than one past the end of an array of ${length}`, {
    path,
  });
}

function noValue(): DeltaError {
  return new DeltaError("no_value", "there is no value yet; the first batch must be a base batch");
}

/** What is no error of ours was thrown by the caller's own value, for example a frozen object. */
function refusal(error: unknown, index: number): unknown {
  if (error instanceof DeltaError) return atOp(error, index);
  return new DeltaError("unwritable", "the value cannot be changed; is it frozen?", { index, cause: error });
}
