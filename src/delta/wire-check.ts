import { DeltaError } from "./error.js";
import { MAX_PATH_IDS } from "./op.js";
import type { WireBatch, WireOp } from "./op.js";
import {
  arityOf,
  assertBatch,
  atOp,
  checkArity,
  checkBasePosition,
  checkOperands,
  checkVerb,
  opFields,
  rootOp,
} from "./op-check.js";
import { checkJson } from "./json.js";
import { checkPath, isCount } from "./path.js";

/** The validator for encoded batches from outside. Whether an id is defined depends on the stream and is the decoder's question. */
export function assertWireOps(value: unknown): asserts value is WireBatch {
  assertWireShape(value);
  for (const [index, op] of value.entries()) checkWireValues(op, index);
}

/** What {@link assertWireOps} checks, except the values that ops carry. */
export function assertWireShape(value: unknown): asserts value is WireBatch {
  assertBatch(value);
  let hasPath = false;
  for (const [index, op] of value.entries()) {
    const fields = opFields(op, index);
    if (fields[0] === "#") {
      checkDefinition(fields, index);
    } else {
      checkWireOp(fields, index, hasPath);
      hasPath = fields[0] !== "r";
    }
  }
}

/** Whether an op of right shape names its path, inline or by id; the arity tells. */
export function namesPath(op: WireOp): boolean {
  return op[0] !== "#" && op.length === arityOf(op[0]);
}

function checkDefinition(fields: readonly unknown[], index: number): void {
  checkArity(fields, 3, index);
  checkPathId(fields[1], index);
  checkPath(fields[2], index);
}

function checkWireOp(fields: readonly unknown[], index: number, hasPath: boolean): void {
  checkVerb(fields, index);
  const verb = fields[0];
  if (verb === "r") {
    checkArity(fields, 2, index);
    checkBasePosition(index);
    return;
  }
  const short = fields.length === arityOf(verb) - 1;
  if (!short) {
    checkArity(fields, arityOf(verb), index);
    checkPathRef(fields[1], verb, index);
  } else if (!hasPath) {
    throw new DeltaError("no_previous_path", `${verb} has no path and no op before it in the batch has one`, { index });
  }
  checkOperands(fields, short ? 1 : 2, index);
}

function checkPathRef(ref: unknown, verb: "s" | "d" | "a" | "t" | "p", index: number): void {
  if (typeof ref === "number") {
    checkPathId(ref, index);
    return;
  }
  checkPath(ref, index);
  if (ref.length === 0 && verb !== "p") throw rootOp(verb, index);
}

function checkPathId(id: unknown, index: number): void {
  if (isCount(id) && id < MAX_PATH_IDS) return;
  throw new DeltaError("bad_path_id", `a path id is an integer from 0 to ${MAX_PATH_IDS - 1}`, { index });
}

/** Values stand last in their op; how deep they lie is known once the path is. */
function checkWireValues(op: WireOp, index: number): void {
  try {
    if (op[0] === "r" || op[0] === "s" || op[0] === "p") checkJson(op.at(-1), []);
  } catch (error) {
    throw atOp(error, index);
  }
}
