/**
 * - `malformed_message`: what was received is not `{seq, ops}`.
 * - `gap`: a message is missing before this one.
 * - `refused_ops`: the ops are malformed or do not fit the value; `cause` is delta's error.
 */
export type ConsumerErrorCode = "malformed_message" | "gap" | "refused_ops";

/** Why a consumer is in doubt about its value. */
export class ConsumerError extends Error {
  override readonly name = "ConsumerError";
  readonly code: ConsumerErrorCode;

  constructor(code: ConsumerErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
