/**
 * - `execution_unknown`: no execution of this root has the id.
 * - `too_many_calls`: as many calls run as may at a time.
 * - `listen_failed`: the port cannot be had.
 */
export type McpErrorCode = "execution_unknown" | "too_many_calls" | "listen_failed";

export class McpError extends Error {
  override readonly name = "McpError";
  readonly code: McpErrorCode;

  constructor(code: McpErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
