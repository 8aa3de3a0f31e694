/**
 * - `bad_usage`: an option, an argument or a command is not what it must be; nothing was started.
 * - `unsupported_platform`: spillway does not run here.
 * - `state_folder`: the state folder cannot be used.
 * - `no_current_folder`: the process was started in a folder that does not exist any more.
 * - `unsettled`: the session's last operation was interrupted and is not settled yet.
 * - `not_found`: the session, or the call in it, is not there.
 * - `spill_gone`: the file with the whole output is not there any more.
 * - `exec_host`: the program that runs commands could not be started or reached.
 * - `token_file`: the file with the token of `mcp --http` cannot be used.
 * - `output_failed`: standard output cannot be written.
 * - `internal`: a fault of spillway itself.
 */
export type CliErrorCode =
  | "bad_usage"
  | "no_current_folder"
  | "unsupported_platform"
  | "state_folder"
  | "unsettled"
  | "not_found"
  | "spill_gone"
  | "exec_host"
  | "token_file"
  | "output_failed"
  | "internal";

/** A failure of spillway's own, in words for the person who called it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The code and the words of anything that was thrown; every layer's errors bear a `code` of their own. */
export function describeFailure(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof Error)) return { code: "internal", message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : "internal";
  return { code, message: error.message };
}
