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
      ? `${cause.message}. Whether this change is stored shows when the session is opened again; until then it takes no more.`
      : `This change is not stored, and all that was stored before is kept: ${path} could not be written (${describeCause(cause)}). Free space or mend the disk, then try again.`;
  return new StorageError("write_failed", message, { cause });
}

export function readOnly(sessionId: string, failure: SyncFailure): StorageError {
  return new StorageError(
    "read_only",
    `Session ${sessionId} takes no more changes until it is closed and opened again, because ${failure.message}.`,
    { cause: failure },
  );
}

/** Gives the system's errors a code of storage, and says what they prevented. */
export function telling<R>(prevented: string, run: () => Promise<R>): Promise<R> {
  return run().catch((cause: unknown) => {
    if (cause instanceof StorageError) throw cause;
    throw new StorageError("io_failed", `${prevented}: ${describeCause(cause)}.`, { cause });
  });
}

export function describeCause(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
