import { StorageError } from "../errors.js";

/** The disk did not confirm what was written: from now on nobody knows what of it will be there. */
export class SyncFailure extends Error {
  override readonly name = "SyncFailure";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super(`${path} could not be synced: ${describeCause(cause)}`, { cause });
    this.path = path;
  }
}

export function syncOrFail(path: string, sync: Promise<void>): Promise<void> {
  return sync.catch((cause: unknown) => {
    throw new SyncFailure(path, cause);
  });
}

export function writeFailed(path: string, cause: unknown): StorageError {
  const message =
    cause instanceof SyncFailure
      ? `${cause.message}. Whether the commit is stored shows at the next opening; this one takes no more commits.`
      : `The commit is not stored: ${path} could not be written (${describeCause(cause)}). Free space or mend the disk, then commit again.`;
  return new StorageError("write_failed", message, { cause });
}

export function readOnly(sessionId: string, failure: SyncFailure): StorageError {
  return new StorageError(
    "read_only",
    `Session ${sessionId} takes no more commits, because ${failure.message}. Close it and open it again.`,
    { cause: failure },
  );
}

export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
