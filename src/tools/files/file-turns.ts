import { dirname, basename, join } from "node:path/posix";
import { getOrThrow } from "../../exec/index.js";
import type { EnvFiles, FileInfo } from "../../exec/index.js";

/**
 * Gives each file of an env to one change at a time, in the order in which they were asked for, so that two changes of
 * one call's siblings both land. Tools that share one of these wait for each other.
 */
export class FileTurns {
  readonly #envs = new WeakMap<EnvFiles, Map<string, Promise<void>>>();

  /** Runs a change once every earlier one of the same file has ended, however it did. */
  async take<T>(files: EnvFiles, path: string, change: () => Promise<T>): Promise<T> {
    const turns = this.#envs.get(files) ?? new Map<string, Promise<void>>();
    this.#envs.set(files, turns);
    // Names of one file differ, and to tell them takes the env; so all wait for that in the order of their calls.
    const asked = (turns.get(NAMING) ?? Promise.resolve()).then(() => findRealPath(files, path));
    turns.set(NAMING, settled(asked));
    const realPath = await asked;
    const running = (turns.get(realPath) ?? Promise.resolve()).then(change);
    const end = settled(running);
    turns.set(realPath, end);
    try {
      return await running;
    } finally {
      if (turns.get(realPath) === end) turns.delete(realPath);
    }
  }
}

/** No path, since it is not absolute. */
const NAMING = "";

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}

/** Where the file lies, or would; that of the nearest folder that is there stands for the folders to be made. */
async function findRealPath(files: EnvFiles, path: string): Promise<string> {
  const found = await files.stat(path);
  if (found.ok) return found.value.path;
  const folder = dirname(path);
  if (folder === path || path === "") return path;
  return join(await findRealPath(files, folder), basename(path));
}

/** What lies at a path; `undefined` where nothing does. */
export async function statIfThere(files: EnvFiles, path: string): Promise<FileInfo | undefined> {
  const found = await files.stat(path);
  if (!found.ok && found.error.code === "file_not_found") return undefined;
  return getOrThrow(found);
}
