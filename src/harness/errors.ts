/**
 * - `invalid_argument`: the call itself is wrong; nothing was done.
 * - `lane_busy`: the lane runs an operation; wait for it, abort it, or use another lane.
 * - `unsettled`: an earlier process, or a failed write, left the lane's operation unsettled; call `recover()`.
 * - `lane_idle`: nothing runs in the lane that a message could join; prompt it instead.
 * - `queue_full`: too much waits to join the lane's operation.
 * - `unknown_approval`: no call of this id waits for a decision.
 * - `unknown_lane`, `unknown_entry`, `lane_exists`: of a fork.
 * - `closed`: the harness was closed.
 * - `aborted`: the operation was stopped.
 * - `did_not_stop`: a call ran on after the abort; its result was settled without it.
 * - `tool_failed`: a tool failed and threw nothing that says why.
 * - `call_settled`: a tool used its context after its call had settled.
 * - `unknown_tool`, `invalid_arguments`: a call of the model that no tool could take.
 * - `refused`: a call that the policy, a hook or a person did not let run.
 * - `memo_busy`, `memo_too_large`, `memo_not_json`: a tool's memo that cannot be made.
 * - `no_summary`: the model was to sum up the transcript and did not.
 * - `not_run`: a call of the model that was never started.
 * - `interrupted`: the process that ran a call or an answer is gone.
 * - `execution_lost`: the same, and the env that was to outlive it is gone as well.
 * - `output_unreadable`: stored output of an interrupted call cannot be decoded.
 */
export type HarnessErrorCode =
  | "invalid_argument"
  | "lane_busy"
  | "unsettled"
  | "lane_idle"
  | "queue_full"
  | "unknown_approval"
  | "unknown_lane"
  | "unknown_entry"
  | "lane_exists"
  | "closed"
  | "aborted"
  | "did_not_stop"
  | "tool_failed"
  | "call_settled"
  | "unknown_tool"
  | "invalid_arguments"
  | "refused"
  | "memo_busy"
  | "memo_too_large"
  | "memo_not_json"
  | "no_summary"
  | "not_run"
  | "interrupted"
  | "execution_lost"
  | "output_unreadable";

export class HarnessError extends Error {
  override readonly name = "HarnessError";
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The words of anything that was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
