import type { FileKind } from "../../exec/index.js";

/** A search of names below a folder. */
export interface PathSearch {
  /** Absolute. */
  readonly folder: string;
  readonly type: "file" | "folder" | "any";
  /** Paths that are enough. */
  readonly maxPaths: number;
  readonly accepts: (path: string, isFolder: boolean) => boolean;
  /** How the names of all that are accepted end, where that is known. */
  readonly nameEnd?: string | undefined;
}

export interface FoundPath {
  /** Relative to the folder. */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Whether a search asks for what is of a kind. */
export function isWanted(type: PathSearch["type"], kind: FileKind): boolean {
  return type === "any" || type === kind;
}
