import type { Path, Segment } from "./op.js";

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
  readonly code: DeltaErrorCode;
  readonly index: number | undefined;
  readonly path: Path | undefined;
  /** The message without the place. */
  readonly reason: string;

  constructor(code: DeltaErrorCode, reason: string, where: { index?: number; path?: Path; cause?: unknown } = {}) {
    const op = where.index === undefined ? "" : `op ${where.index}: `;
    const place = where.path === undefined ? "" : ` (at ${describePath(where.path)})`;
    super(`${op}${reason}${place}`, where.cause === undefined ? undefined : { cause: where.cause });
    this.code = code;
    this.reason = reason;
    this.index = where.index;
    this.path = where.path;
  }
}

function describePath(path: Path): string {
  const steps = path.map((segment: Segment) => (typeof segment === "number" ? `[${segment}]` : `.${segment}`));
  const text = `$${steps.join("")}`;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
