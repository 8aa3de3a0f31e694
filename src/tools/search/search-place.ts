import { basename, dirname, join, normalize } from "node:path/posix";
import { getOrThrow } from "../../exec/index.js";
import type { EnvFiles } from "../../exec/index.js";
import { unlessAborted } from "../files/aborts.js";

/** Where a search looks, and how what it finds is named. */
export interface SearchPlace {
  /** Absolute, with no link in it. */
  readonly folder: string;
  /** The one file of the folder that is meant. */
  readonly file?: string;
  /** A path below the folder as the caller can use it. */
  readonly show: (path: string) => string;
}

/** @throws {ExecError} where nothing is there. */
export async function findPlace(files: EnvFiles, path: string, signal: AbortSignal): Promise<SearchPlace> {
  const info = getOrThrow(await unlessAborted(signal, files.stat(path)));
  if (info.kind === "folder") {
    const prefix = normalize(path);
    return { folder: info.path, show: (below) => join(prefix, below) };
  }
  return { folder: dirname(info.path), file: basename(info.path), show: () => normalize(path) };
}

/** How all names that a glob takes end, where that is plain to see. */
export function findNameEnd(glob: string | undefined): string | undefined {
  return /(?:^|\/)\*(\.[A-Za-z0-9_.-]+)$/.exec(glob ?? "")?.[1];
}
