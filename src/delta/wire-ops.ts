import { DeltaError } from "./error.js";
import {
  arityOf,
  assertBatch,
  checkArity,
  checkBasePosition,
  checkOperands,
  checkOpValues,
  checkVerb,
  opFields,
  rootOp,
} from "./op-check.js";
import { MAX_PATH_IDS } from "./op.js";
import type { Json, Op, Path, WireBatch } from "./op.js";
import { checkPath, isCount } from "./path.js";

/** What the ids of a stream stand for, while one of its batches is read. */
export interface PathIds {
  /** Throws what is known of an id that is not defined; undefined where that is not judged. */
  resolve(id: number, index: number): Path | undefined;
  define(id: number, path: Path): void;
}

/** The validator for encoded batches from outside. Whether an id is defined depends on the stream and is the decoder's question. */
export function assertWireOps(value: unknown): asserts value is WireBatch {
  readWireOps(value, { resolve: () => undefined, define: () => undefined });
}

/** Checks an encoded batch from outside, and gives its ops with their paths put in. */
export function readWireOps(wire: unknown, ids: PathIds): Op[] {
  assertBatch(wire);
  const batch: Op[] = [];
  let path: Path | undefined;
  for (let index = 0; index < wire.length; index += 1) {
    const fields = opFields(wire[index], index);
    if (fields[0] === "#") {
      readDefinition(fields, index, ids);
      continue;
    }
    checkVerb(fields, index);
    const verb = fields[0];
    if (verb === "r") {
      checkArity(fields, 2, index);
      checkBasePosition(index);
    } else if (fields.length === arityOf(verb) - 1) {
      if (path === undefined) throw noPath(verb, index);
    } else {
      checkArity(fields, arityOf(verb), index);
      path = readPath(fields[1], index, ids);
    }
    if (path?.length === 0 && path !== UNKNOWN && verb !== "p" && verb !== "r") throw rootOp(verb, index);
    batch.push(readOp(fields, path ?? UNKNOWN, index));
  }
  return batch;
}

/** Stands for the path of an id that is not judged. */
const UNKNOWN: Path = [];

function readDefinition(fields: readonly unknown[], index: number, ids: PathIds): void {
  checkArity(fields, 3, index);
  const [, id, path] = fields;
  checkPathId(id, index);
  checkPath(path, index);
  ids.define(id, path);
}

function readPath(ref: unknown, index: number, ids: PathIds): Path {
  if (typeof ref === "number") {
    checkPathId(ref, index);
    return ids.resolve(ref, index) ?? UNKNOWN;
  }
  checkPath(ref, index);
  return ref;
}

/** The op that fields of right number state at `path`. */
function readOp(fields: readonly [Op[0], ...unknown[]], path: Path, index: number): Op {
  const verb = fields[0];
  const from = fields.length === arityOf(verb) ? 2 : 1;
  checkOperands(fields, from, index);
  // Their kinds were checked, or are checked right below.
  const op = joinOp(fields, from, path);
  checkOpValues(op, index);
  return op;
}

function joinOp(fields: readonly [Op[0], ...unknown[]], from: number, path: Path): Op {
  switch (fields[0]) {
    case "r":
      return ["r", fields[1] as Json];
    case "s":
      return ["s", path, fields[from] as Json];
    case "d":
      return ["d", path];
    case "a":
      return ["a", path, fields[from] as string];
    case "t":
      return ["t", path, fields[from] as number];
    default:
      return ["p", path, fields[from] as number, fields[from + 1] as number, fields[from + 2] as Json[]];
  }
}

function checkPathId(id: unknown, index: number): asserts id is number {
  if (isCount(id) && id < MAX_PATH_IDS) return;
  throw new DeltaError("bad_path_id", `a path id is an integer from 0 to ${MAX_PATH_IDS - 1}`, { index });
}

function noPath(verb: Op[0], index: number): DeltaError {
  return new DeltaError("no_previous_path", `${verb} has no path and no op before it in the batch has one`, { index });
}
