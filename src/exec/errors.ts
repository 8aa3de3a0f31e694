import type { ExecResult } from "./contract.js";

/**
 * - `invalid_argument`: the call itself is wrong; nothing was started.
 * - `spawn_failed`: the shell, the working folder, or what had to be done before could not be used; nothing ran.
 * - `timeout`, `aborted`: the tree was stopped for that reason.
 * - `signal`: the command died of a signal that nobody here sent; `result.signal` names it.
 * - `execution_unknown`: no execution has this id.
 * - `execution_lost`: the env that ran it was restarted; what it did is not known.
 * - `abandoned`: the exec host stopped it, because nobody had come for too long, or its quota was reached unattended.
 * - `link_lost`: the exec host cannot be reached any more; what it runs may go on.
 * - `link_refused`: what is at the other end is no exec host of this protocol, or does not accept the token.
 * - `input_closed`, `input_full`: the command's input takes nothing more, or nothing more for now.
 * - `env_closed`: the env was closed.
 * - `sandbox_unavailable`: a sandbox was asked for, and what makes it is not installed.
 * - `unsupported_platform`: an env cannot be made on this system.
 * - `file_not_found`, `file_exists`, `not_a_file`, `not_a_folder`, `folder_not_empty`, `permission_denied`, `file_too_large`,
 *   `file_changed`, `disk_full`: a file operation could not be done; nothing was changed.
 * - `spill_expired`: the file was an output that was removed for its age or to keep the quota; the message has size and date.
 * - `file_failed`: as these, for a reason that has no code of its own; the message says which.
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
  | "abandoned"
  | "link_lost"
  | "link_refused"
  | "input_closed"
  | "input_full"
  | FileErrorCode
  | "env_closed"
  | "sandbox_unavailable"
  | "unsupported_platform"
  | "internal";

export type FileErrorCode =
  | "file_not_found"
  | "file_exists"
  | "not_a_file"
  | "not_a_folder"
  | "folder_not_empty"
  | "permission_denied"
  | "file_too_large"
  | "file_changed"
  | "disk_full"
  | "spill_expired"
  | "file_failed";

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
