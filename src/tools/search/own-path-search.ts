import type { EnvFiles } from "../../exec/index.js";
import { isWanted } from "./paths-search.js";
import type { FoundPath, PathSearch } from "./paths-search.js";
import type { SearchGaps } from "./search-gaps.js";
import { walkTree } from "./tree-walk.js";

/** Searches with nothing but the env's files. Gives the first ones in the order of their paths. */
export async function searchPaths(
  files: EnvFiles,
  search: PathSearch,
  gaps: SearchGaps,
  signal: AbortSignal,
): Promise<readonly FoundPath[]> {
  const found: FoundPath[] = [];
  for await (const { path, kind } of walkTree(files, search.folder, gaps, signal)) {
    const isFolder = kind === "folder";
    if (!isWanted(search.type, kind) || !search.accepts(path, isFolder)) continue;
    found.push({ path, isFolder });
    if (found.length === search.maxPaths) break;
  }
  return found;
}
