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

/**
 * - `refused`: the host answered, and will not serve this; it is not asked again. `status` is its HTTP status.
 * - `protocol_mismatch`: the host speaks a later protocol; it is not asked again.
 * - `unreachable`: no connection, or an answer that says to try later.
 * - `cut`: the connection ended without an end of the stream.
 * - `silent`: nothing was received for too long.
 * - `frame_too_large`: one event of the stream exceeds the limit.
 * - `doubt`: the consumer needs a base; `cause` is its error.
 */
export type ConnectionErrorCode =
  | "refused"
  | "protocol_mismatch"
  | "unreachable"
  | "cut"
  | "silent"
  | "frame_too_large"
  | "doubt";

/** Why a connection does not go on. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly code: ConnectionErrorCode;
  readonly status: number | undefined;

  constructor(
    code: ConnectionErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly status?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
  }

  /** Whether another connection may go better. */
  get retryable(): boolean {
    return this.code !== "refused" && this.code !== "protocol_mismatch";
  }
}
