import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** One file that an execution saved its output to. */
export interface SpillEntry {
  readonly path: string;
  readonly folder: string;
  readonly executionId: string;
  readonly bytes: number;
  /** Unix milliseconds of the last write. */
  readonly modifiedAt: number;
}

export interface SpillListing {
  readonly spills: readonly SpillEntry[];
  /** The sessions' folders below the root. */
  readonly folders: readonly string[];
  /** What could not be looked at. */
  readonly failed: readonly SpillFailure[];
}

export interface SpillFailure {
  readonly path: string;
  readonly message: string;
}

const SPILL_NAME = /^(exec_[a-z0-9_-]+)(\.after)?\.log$/;
const FOLDER_NAME = /^[a-z0-9_-]{1,64}$/;

/**
 * All spills below a root: its own files, and those of the folders in it, one a session. Links are nobody's spills, nor is
 * anything behind them, and names that no env gives are not looked at.
 */
export async function listSpills(root: string): Promise<SpillListing> {
  const failed: SpillFailure[] = [];
  const spills: SpillEntry[] = [];
  const folders: string[] = [];

  async function look(folder: string, isRoot: boolean): Promise<void> {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (isRoot && entry.isDirectory() && FOLDER_NAME.test(entry.name)) {
        folders.push(path);
        await look(path, false).catch((error: unknown) => noteFailure(failed, path, error));
        continue;
      }
      const executionId = SPILL_NAME.exec(entry.name)?.[1];
      if (executionId === undefined || !entry.isFile()) continue;
      const stats = await readStats(path).catch((error: unknown) => noteFailure(failed, path, error));
      if (stats !== undefined) spills.push({ path, folder, executionId, ...stats });
    }
  }

  await look(root, true).catch((error: unknown) => noteFailure(failed, root, error));
  return { spills, folders, failed };
}

/** What is at a path now, not followed; `undefined` where it is no file. */
export async function readStats(path: string): Promise<Pick<SpillEntry, "bytes" | "modifiedAt"> | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? { bytes: stats.size, modifiedAt: stats.mtimeMs } : undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Adds to a list of failures; something that has just gone is none. */
export function noteFailure(failed: SpillFailure[], path: string, error: unknown): undefined {
  if (!isGone(error)) failed.push({ path, message: error instanceof Error ? error.message : String(error) });
}

export function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
