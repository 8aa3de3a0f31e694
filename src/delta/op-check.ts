import { DeltaError } from "./error.js";
import { checkItems, checkJson } from "./json.js";
import type { Batch, Op } from "./op.js";
import { checkPath, isCount } from "./path.js";

/** The validator for batches from outside. Throws a {@link DeltaError} with the op's index; whether ops fit a value is `apply`'s question. */
export function assertOps(value: unknown): asserts value is Batch {
  assertBatch(value);
  for (const [index, op] of value.entries()) {
    checkOp(op, index);
    checkOpValues(op, index);
  }
}

export function assertBatch(value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) throw new DeltaError("not_a_batch", "a batch is an array of ops");
}

/** Everything about an op's shape except the values it carries, which `apply` checks while it copies them. */
export function checkOp(op: unknown, index: number): asserts op is Op {
  const fields = opFields(op, index);
  checkVerb(fields, index);
  if (fields[0] === "r") {
    checkArity(fields, 2, index);
    checkBasePosition(index);
    return;
  }
  checkArity(fields, arityOf(fields[0]), index);
  checkPath(fields[1], index);
  if (fields[0] !== "p" && fields[1].length === 0) throw rootOp(fields[0], index);
  checkOperands(fields, 2, index);
}

/** The values inside an op of right shape: JSON, and not too deep at their place. */
export function checkOpValues(op: Op, index: number): void {
  try {
    if (op[0] === "r") checkJson(op[1], []);
    else if (op[0] === "s") checkJson(op[2], op[1]);
    else if (op[0] === "p") checkItems(op[4], op[1], op[2]);
  } catch (error) {
    throw atOp(error, index);
  }
}

export function opFields(op: unknown, index: number): readonly unknown[] {
  if (!Array.isArray(op))
    throw new DeltaError("unknown_verb", "an op is an array that begins with its verb", { index });
  return op;
}

type Verb = Op[0];

/** Fields of an op of this verb, the verb included; 0 for what is no verb. */
export function arityOf(verb: unknown): number {
  switch (verb) {
    case "r":
    case "d":
      return 2;
    case "s":
    case "a":
    case "t":
      return 3;
    case "p":
      return 5;
    default:
      return 0;
  }
}

export function checkVerb(fields: readonly unknown[], index: number): asserts fields is readonly [Verb, ...unknown[]] {
  const verb = fields[0];
  if (arityOf(verb) > 0) return;
  const shown = typeof verb === "string" ? JSON.stringify(verb.slice(0, 20)) : `of type ${typeof verb}`;
  throw new DeltaError("unknown_verb", `the verb ${shown} is none of r, s, d, a, t, p`, { index });
}

export function checkArity(fields: readonly unknown[], arity: number, index: number): void {
  if (fields.length === arity) return;
  throw new DeltaError("wrong_arity", `an op ${String(fields[0])} has ${arity} fields, this one has ${fields.length}`, {
    index,
  });
}

export function checkBasePosition(index: number): void {
  if (index > 0)
    throw new DeltaError("misplaced_base", "r stands first in its batch or nowhere; start a new batch", { index });
}

/** What follows the path of an op of right arity: its fields from position `from` on. */
export function checkOperands(fields: readonly unknown[], from: number, index: number): void {
  const verb = fields[0];
  const first = fields[from];
  if (verb === "a" && typeof first !== "string") throw new DeltaError("not_text", "a appends a string", { index });
  if (verb === "t" && !isCount(first))
    throw new DeltaError("bad_count", "t drops an integer of at least 0 code units", { index });
  if (verb !== "p") return;
  if (!isCount(first)) throw new DeltaError("bad_index", "p splices at an integer of at least 0", { index });
  if (!isCount(fields[from + 1]))
    throw new DeltaError("bad_count", "p removes an integer of at least 0 elements", { index });
  if (!Array.isArray(fields[from + 2])) throw new DeltaError("not_items", "p inserts an array of items", { index });
}

export function rootOp(verb: Verb, index: number): DeltaError {
  return new DeltaError("root_op", `${verb} needs a path of at least one segment; only r and p address the root`, {
    index,
  });
}

/** The same error, with the op's index. */
export function atOp(error: unknown, index: number): unknown {
  if (!(error instanceof DeltaError) || error.index !== undefined) return error;
  const where = error.path === undefined ? { index } : { index, path: error.path };
  return new DeltaError(error.code, error.reason, where);
}
