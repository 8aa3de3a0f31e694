import { dirname, basename, join } from "node:path/posix";
import { getOrThrow } from "../../exec/index.js";
import type { EnvFiles, FileInfo } from "../../exec/index.js";
import { checkAborted, unlessAborted } from "./aborts.js";

/**
 * Gives each file of an env to one change at a time, in the order in which they were asked for, so that two changes of
 * one call's siblings both land. Tools that share one of these wait for each other.
 */
export class FileTurns {
  readonly #envs = new WeakMap<EnvFiles, Map<string, Promise<void>>>();

  /**
   * Runs a change once every earlier one of the same file has ended, however it did. A call that is stopped waits no longer,
   * neither for its turn nor for an env that does not answer; its file has its turn until the env does.
   *
   * @throws {ToolError} `call_aborted`; what the change throws.
   */
  async take<T>(files: EnvFiles, path: string, signal: AbortSignal, change: () => Promise<T>): Promise<T> {
    checkAborted(signal);
    const turns = this.#envs.get(files) ?? new Map<string, Promise<void>>();
    this.#envs.set(files, turns);
    // Names of one file differ, and to tell them takes the env; so all wait for that in the order of their calls.
    const asked = (turns.get(NAMING) ?? Promise.resolve()).then(() => findRealPath(files, path));
    turns.set(NAMING, settled(asked));
    const realPath = await unlessAborted(signal, asked, UNTOUCHED);
    let hasBegun = false;
    const running = (turns.get(realPath) ?? Promise.resolve()).then(() => {
      checkAborted(signal, UNTOUCHED);
      hasBegun = true;
      return change();
    });
    const end = settled(running).then(() => {
      if (turns.get(realPath) === end) turns.delete(realPath);
    });
    turns.set(realPath, end);
    return await unlessAborted(signal, running, () => (hasBegun ? WHOLE : UNTOUCHED()));
  }
}

/** No path, since it is not absolute. */
const NAMING = "";

const UNTOUCHED = (): string => "the file was not touched";
const WHOLE = "the file is whole, the one before or the new one; read it to see which";

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
