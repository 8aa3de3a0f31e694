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
 *
 * Of the tools that work on files, besides the codes of the env:
 * - `call_aborted`: the call was stopped before it was done.
 * - `beyond_end`: the file has fewer lines.
 * - `invalid_text`, `text_too_large`: the text cannot be written as UTF-8, or is more than can be handled at once.
 * - `text_not_found`, `text_not_unique`, `edits_overlap`, `nothing_changed`: the edits do not fit the file; it is as it was.
 * - `invalid_pattern`: what is searched for cannot be understood.
 * - `search_failed`: the env's search program failed.
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
  | "command_aborted"
  | "call_aborted"
  | "beyond_end"
  | "invalid_text"
  | "text_too_large"
  | "text_not_found"
  | "text_not_unique"
  | "edits_overlap"
  | "nothing_changed"
  | "invalid_pattern"
  | "search_failed";

export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
