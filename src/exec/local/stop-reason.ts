import type { ExecResult } from "../contract.js";
import { ExecError } from "../errors.js";
import type { ExecErrorCode } from "../errors.js";

/** Why the env stopped an execution that had not ended by itself. */
export type StopReason =
  | { readonly kind: "timeout"; readonly seconds: number }
  | { readonly kind: "aborted" | "killed" | "closed" }
  | { readonly kind: "internal"; readonly cause: unknown };

/** The error that an execution ends with because it was stopped. */
export function stopError(reason: StopReason, result: ExecResult): ExecError {
  const cause = reason.kind === "internal" ? { cause: reason.cause } : {};
  return new ExecError(CODES[reason.kind], `the command was stopped ${describe(reason, result)}`, { result, ...cause });
}

const CODES = {
  timeout: "timeout",
  aborted: "aborted",
  killed: "aborted",
  closed: "env_closed",
  internal: "internal",
} satisfies Record<StopReason["kind"], ExecErrorCode>;

function describe(reason: StopReason, { durationMs }: ExecResult): string {
  if (reason.kind === "timeout") return `because it ran longer than its timeout of ${reason.seconds} s`;
  if (reason.kind === "internal") return `because the receiver of its updates failed: ${messageOf(reason.cause)}`;
  const why = { aborted: "by its caller", killed: "by a kill of its execution", closed: "because its env was closed" }[
    reason.kind
  ];
  return `${why} after ${(durationMs / 1_000).toFixed(1)} s`;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
