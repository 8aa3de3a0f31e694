import type { ExecResult } from "./contract.js";

/**
 * - `invalid_argument`: the call itself is wrong; nothing was started.
 * - `spawn_failed`: the shell, the working folder, or what had to be done before could not be used; nothing ran.
 * - `timeout`, `aborted`: the tree was stopped for that reason.
 * - `signal`: the command died of a signal that nobody here sent; `result.signal` names it.
 * - `execution_unknown`: no execution has this id.
 * - `execution_lost`: the env that ran it was restarted; what it did is not known.
 * - `env_closed`: the env was closed.
 * - `unsupported_platform`: an env cannot be made on this system.
 * - `internal`: a fault of the env itself; the tree was stopped.
 */
export type ExecErrorCode =
  | "invalid_argument"
  | "spawn_failed"
  | "timeout"
  | "aborted"
  | "signal"
  | "execution_unknown"
  | "execution_lost"
  | "env_closed"
  | "unsupported_platform"
  | "internal";

/** A failure of an execution. `result` holds totals, spill and exit of what ran until then, where anything ran. */
export class ExecError extends Error {
  override readonly name = "ExecError";
  readonly code: ExecErrorCode;
  readonly result: ExecResult | undefined;

  constructor(code: ExecErrorCode, message: string, options: { result?: ExecResult; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.result = options.result;
  }
}
