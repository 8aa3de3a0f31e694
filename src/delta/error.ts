import type { Path } from "./op.js";

/**
 * What is wrong, for programs to switch on.
 *
 * - Shape of ops: `not_a_batch`, `unknown_verb`, `wrong_arity`, `bad_path`, `refused_segment`, `misplaced_base`, `root_op`, `bad_count`,
 *   `bad_index`, `not_text`, `not_items`.
 * - Wire only: `bad_path_id`, `unknown_path_id`, `no_previous_path`.
 * - Ops that do not fit the value: `no_value`, `missing_target`, `wrong_target`, `out_of_range`, `unwritable`.
 * - Values: `not_json`, `cycle`, `too_deep`, `hole`.
 * - Edits: `split_character`.
 */
export type DeltaErrorCode =
  | "not_a_batch"
  | "unknown_verb"
  | "wrong_arity"
  | "bad_path"
  | "refused_segment"
  | "misplaced_base"
  | "root_op"
  | "bad_count"
  | "bad_index"
  | "not_text"
  | "not_items"
  | "bad_path_id"
  | "unknown_path_id"
  | "no_previous_path"
  | "no_value"
  | "missing_target"
  | "wrong_target"
  | "out_of_range"
  | "unwritable"
  | "not_json"
  | "cycle"
  | "too_deep"
  | "hole"
  | "split_character";

/** Everything that delta refuses. `index` is the op's position in its batch, `path` the place in the value, where there is one. */
export class DeltaError extends Error {
  override readonly name = "DeltaError";
  declare readonly code: DeltaErrorCode;
  declare readonly index: number | undefined;
  declare readonly path: Path | undefined;
  /** What the message says about the code. */
  declare readonly reason: string;

  constructor(code: DeltaErrorCode, reason: string, path?: Path, index?: number, cause?: unknown) {
    const op = index === undefined ? "" : `op ${index}: `;
    const place = path === undefined ? "" : ` (at ${JSON.stringify(path).slice(0, 200)})`;
    super(`${op}${code}: ${reason}${place}`, { cause });
    Object.assign(this, { code, reason, path, index });
  }
}

/** Throws, saying what there must be instead; an expression, so that it can stand where that is missing. */
export function refuse(code: DeltaErrorCode, needed: string, path?: Path, index?: number): never {
  throw new DeltaError(code, `needs ${needed}`, path, index);
}

/** The same error of an op. What is no error of ours was thrown by a value of the caller's, such as a frozen object. */
export function atOp(error: unknown, index: number): DeltaError {
  if (error instanceof DeltaError) return new DeltaError(error.code, error.reason, error.path, index);
  return new DeltaError("unwritable", "needs a value that can change", undefined, index, error);
}
