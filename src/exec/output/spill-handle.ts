import { constants, lstat, open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/** The file operations that a spill needs; a test hands in one that fails. */
export type OpenSpill = (path: string) => Promise<SpillHandle>;

export interface SpillHandle {
  write(bytes: Buffer, offset: number, length: number): Promise<{ readonly bytesWritten: number }>;
  /** Whether the file is still what lies at its path. */
  isInPlace(): Promise<boolean>;
  close(): Promise<void>;
}

/** Makes a file that was not there, for this user alone, and follows no link. */
export const openSpill: OpenSpill = async (path) => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o600);
  return {
    write: (bytes, offset, length) => file.write(bytes, offset, length),
    isInPlace: () => liesAt(path, file),
    close: () => file.close(),
  };
};

async function liesAt(path: string, file: FileHandle): Promise<boolean> {
  const own = await file.stat({ bigint: true });
  try {
    const found = await lstat(path, { bigint: true });
    return found.dev === own.dev && found.ino === own.ino;
  } catch (error) {
    // Where one may not look any more, nothing says that it is gone.
    return !(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"));
  }
}
