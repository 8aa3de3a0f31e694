/** The folder that a client may look into: its working folder, and the highest one it can name. */
export interface Root {
  /** Absolute, with no link in it. */
  readonly path: string;
  /** Whether a file outside of it may be read all the same, such as the saved output of an execution. `path` has no link in it. */
  readonly isReadable: (path: string) => boolean;
}

/** Whether an absolute path without links is the root, or below it. */
export function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
}
