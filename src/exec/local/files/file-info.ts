import type { BigIntStats, Dirent, Stats } from "node:fs";
import type { FileInfo, FileKind } from "../../files.js";

export function infoOf(path: string, stats: BigIntStats): FileInfo {
  return {
    path,
    kind: kindOf(stats),
    bytes: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    modifiedAt: Number(stats.mtimeMs),
    // The change time cannot be set, so it tells also of a file that was written and given its old time.
    version: `${stats.dev}.${stats.ino}.${stats.size}.${stats.mtimeNs}.${stats.ctimeNs}`,
  };
}

export function kindOf(
  entry: Pick<Stats | BigIntStats | Dirent, "isFile" | "isDirectory" | "isSymbolicLink">,
): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
