/**
 * What a request, or the server itself, was refused for.
 *
 * - Of a request: `invalid_request`, `unauthorized` (no valid token), `forbidden` (the token is for viewing), `wrong_host`, `wrong_origin`,
 *   `not_found`, `method_not_allowed`, `unsupported_media_type`, `payload_too_large`, `range_not_satisfiable`.
 * - Of what is asked for: `gone` (it was there and is not any more), `conflict` (nothing to do it to), `unavailable` (try later), `internal`.
 * - Of listening: `not_loopback`, `socket_path_too_long`, `address_in_use`, `listen_failed`.
 */
export type WireErrorCode = keyof typeof STATUS;

/** A source throws these too; the server answers with them as they are. Other errors are answered as `internal`. */
export class WireError extends Error {
  override readonly name = "WireError";
  readonly code: WireErrorCode;

  constructor(code: WireErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  /** The HTTP status that goes with the code. */
  get status(): number {
    return STATUS[this.code];
  }
}

const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  wrong_host: 421,
  wrong_origin: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  internal: 500,
  unavailable: 503,
  not_loopback: 500,
  socket_path_too_long: 500,
  address_in_use: 500,
  listen_failed: 500,
} as const;

export function isWireErrorCode(code: unknown): code is WireErrorCode {
  return typeof code === "string" && Object.hasOwn(STATUS, code);
}
