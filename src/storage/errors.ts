/**
 * - `invalid_argument`: an id, key, tag, limit, cursor or value is not allowed; nothing was written.
 * - `mixed_scopes`: a commit stated a write to another scope than its own; nothing was written.
 * - `session_unknown`, `session_exists`: as they say.
 * - `session_locked`: another process writes the session; the message names its pid.
 * - `damaged`: bytes before the known end of a file do not verify; nothing was touched.
 * - `unsupported_version`: a newer program wrote the file.
 * - `write_failed`: the commit is not acknowledged; `cause` says why. Unless a sync failed it is not stored either.
 * - `io_failed`: the file system failed an opening, a reading or a removal; `cause` says how.
 * - `read_only`: an earlier failure left the session readable only.
 * - `closed`: the session was closed.
 */
export type StorageErrorCode =
  | "invalid_argument"
  | "mixed_scopes"
  | "session_unknown"
  | "session_exists"
  | "session_locked"
  | "damaged"
  | "unsupported_version"
  | "write_failed"
  | "io_failed"
  | "read_only"
  | "closed";

export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
