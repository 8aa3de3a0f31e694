import { join } from "node:path/posix";
import { getOrThrow } from "../../exec/index.js";
import type { EnvFiles, FileKind, FolderEntry, FolderListing } from "../../exec/index.js";
import { unlessAborted } from "../files/aborts.js";
import { isIgnored, readLevelsAbove, readListedLevel } from "./ignore-levels.js";
import type { IgnoreLevel } from "./ignore-levels.js";
import { comparePaths } from "./path-order.js";
import type { SearchGaps } from "./search-gaps.js";

/** Something below the folder that is searched. */
export interface TreeEntry {
  /** Relative to that folder. */
  readonly path: string;
  readonly absolutePath: string;
  readonly kind: FileKind;
}

/** A folder that is being gone through. */
interface OpenFolder {
  readonly path: string;
  readonly absolutePath: string;
  readonly level: IgnoreLevel;
  readonly entries: readonly FolderEntry[];
  next: number;
}

/**
 * All that is below a folder and not ignored, in the order of {@link comparePaths}, without `.git`. Links are not followed,
 * so it ends. What could not be looked at goes to `gaps`.
 *
 * @throws {ExecError} where the folder itself cannot be listed.
 */
export async function* walkTree(
  files: EnvFiles,
  folder: string,
  gaps: SearchGaps,
  signal: AbortSignal,
): AsyncGenerator<TreeEntry, void> {
  const above = await unlessAborted(signal, readLevelsAbove(files, folder));
  const root = getOrThrow(await unlessAborted(signal, files.list(folder)));
  const open = [await unlessAborted(signal, openFolder(files, "", root, above, gaps))];
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const entry = current.entries[current.next];
    current.next += 1;
    if (entry === undefined) open.pop();
    else if (entry.name !== ".git") {
      const found = entryOf(current, entry);
      if (isIgnored(current.level, found.absolutePath, found.kind === "folder")) continue;
      yield found;
      if (found.kind !== "folder") continue;
      const listing = await unlessAborted(signal, files.list(found.absolutePath));
      if (!listing.ok) gaps.unread(found.path);
      else open.push(await unlessAborted(signal, openFolder(files, found.path, listing.value, current.level, gaps)));
    }
  }
}

async function openFolder(
  files: EnvFiles,
  path: string,
  { path: absolutePath, entries, truncated }: FolderListing,
  above: IgnoreLevel | undefined,
  gaps: SearchGaps,
): Promise<OpenFolder> {
  if (truncated) gaps.cut(path, entries.length);
  const level = await readListedLevel(files, absolutePath, above, entries);
  return { path, absolutePath, level, entries: entries.toSorted((a, b) => comparePaths(a.name, b.name)), next: 0 };
}

function entryOf(folder: OpenFolder, { name, kind }: FolderEntry): TreeEntry {
  const path = folder.path === "" ? name : `${folder.path}/${name}`;
  return { path, absolutePath: join(folder.absolutePath, name), kind };
}
