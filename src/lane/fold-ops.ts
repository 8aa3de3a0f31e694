import { apply, DeltaError, isBase } from "../delta/index.js";
import type { Batch } from "../delta/index.js";

/**
 * Folds the ops of an event into the value they belong to, and gives it; a base batch creates it. Gives undefined, and
 * leaves the value as it was, where the ops do not apply: the event then is one that cannot be placed.
 */
export function foldOps<Value>(value: Value | undefined, ops: Batch): Value | undefined {
  if (value === undefined && !isBase(ops)) return undefined;
  try {
    return apply(value, ops);
  } catch (error) {
    if (error instanceof DeltaError) return undefined;
    throw error;
  }
}
