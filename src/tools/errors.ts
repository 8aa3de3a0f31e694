/**
 * Of a tool's use of its sink and env:
 * - `invalid_argument`: a method was given what it cannot take; nothing was changed.
 * - `details_too_large`, `too_many_images`, `image_too_large`, `too_many_tools`: a limit of the sink.
 * - `not_allowed`: what a bound env keeps to its owner.
 *
 * Of a tool's definition and arguments:
 * - `invalid_tool`: name or schema cannot be used.
 * - `invalid_parameters`: what the model stated does not fit the schema; the message names the fields.
 *
 * Of `bash`:
 * - `command_failed`, `command_signalled`, `command_timed_out`, `command_aborted`: how the command ended.
 */
export type ToolErrorCode =
  | "invalid_argument"
  | "details_too_large"
  | "too_many_images"
  | "image_too_large"
  | "too_many_tools"
  | "not_allowed"
  | "invalid_tool"
  | "invalid_parameters"
  | "command_failed"
  | "command_signalled"
  | "command_timed_out"
  | "command_aborted";

export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
