import type { ExecError, ExecResult, Result } from "../../exec/index.js";
import type { OperationResult } from "../../harness/index.js";
import { EXIT_OWN_FAILURE, EXIT_TIMEOUT, exitCodeOfSignal } from "../exit-codes.js";

/** Why the run was stopped from outside: a signal to spillway, or the failure of its own output. */
export type StopCause =
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "output"; readonly failure: NodeJS.ErrnoException };

export interface RunEnding {
  readonly stopped: StopCause | undefined;
  readonly execution: Result<ExecResult, ExecError> | undefined;
  readonly operation: Pick<OperationResult, "status" | "reason">;
}

/** What the process says at its end. `failure` is spillway's own, in words for a person. */
export interface Outcome {
  readonly exitCode: number;
  /** Whether whoever read standard output has seen enough and wants no more words. */
  readonly isReaderGone?: true;
  readonly failure?: { readonly code: string; readonly message: string };
}

export function judgeOutcome({ stopped, execution, operation }: RunEnding): Outcome {
  if (stopped !== undefined) return judgeStop(stopped);
  if (execution === undefined) {
    const reason = operation.reason ?? `the operation ended as ${operation.status}`;
    return { exitCode: EXIT_OWN_FAILURE, failure: { code: "not_run", message: `the command was not run: ${reason}` } };
  }
  // The command ended, and that could not be kept.
  if (operation.status === "failed") {
    return { exitCode: EXIT_OWN_FAILURE, failure: { code: "not_stored", message: operation.reason ?? "it failed" } };
  }
  return execution.ok ? judgeResult(execution.value) : judgeError(execution.error);
}

function judgeStop(stopped: StopCause): Outcome {
  if (stopped.kind === "signal") return { exitCode: exitCodeOfSignal(stopped.signal) };
  const { code, message } = stopped.failure;
  // A reader that has seen enough is no failure: it ends the writer, as it ends every program in a pipeline.
  if (code === "EPIPE") return { exitCode: exitCodeOfSignal("SIGPIPE"), isReaderGone: true };
  return {
    exitCode: EXIT_OWN_FAILURE,
    failure: { code: "output_failed", message: `standard output cannot be written: ${message}` },
  };
}

function judgeResult({ exitCode, signal }: ExecResult): Outcome {
  if (signal !== null) return { exitCode: exitCodeOfSignal(signal) };
  return { exitCode: exitCode ?? EXIT_OWN_FAILURE };
}

function judgeError(error: ExecError): Outcome {
  if (error.code === "timeout") return { exitCode: EXIT_TIMEOUT };
  const signal = error.result?.signal ?? null;
  // It was aborted from elsewhere, such as by `spillway kill` or from the page.
  const isSignalled = error.code === "signal" || error.code === "aborted";
  if (isSignalled && signal !== null) return { exitCode: exitCodeOfSignal(signal) };
  return { exitCode: EXIT_OWN_FAILURE, failure: { code: error.code, message: error.message } };
}
