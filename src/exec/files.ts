import type { ExecError } from "./errors.js";
import type { Result } from "./result.js";

/**
 * The files of an env, as its commands see them. Paths are absolute or relative to the env's working folder; links are
 * followed, except by `remove` and `rename`, which act on a link itself. Everything is bounded: what is larger than a limit
 * is refused or told, never cut in silence.
 *
 * Nothing rejects for a file's sake: what goes wrong is a failed {@link Result} whose error says so by its code.
 */
export interface EnvFiles {
  /** What lies at a path. */
  stat(path: string): Promise<Result<FileInfo, ExecError>>;

  /** A piece of a file, at most {@link MAX_FILE_BYTES}. Beyond the end it has no bytes. */
  read(path: string, options?: ReadOptions): Promise<Result<FileBytes, ExecError>>;

  /**
   * Replaces a file by these bytes, or makes it: whoever reads meanwhile has the old ones or the new ones whole, also after a
   * crash. The mode stays, and so does a link on the way. At most {@link MAX_FILE_BYTES}.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<Result<FileInfo, ExecError>>;

  /** The entries of a folder, by name, at most {@link MAX_FOLDER_ENTRIES}. */
  list(path: string): Promise<Result<FolderListing, ExecError>>;

  /** Makes a folder and its parents. One that is there is no failure. */
  makeFolder(path: string): Promise<Result<FileInfo, ExecError>>;

  /** Moves within one file system; what lay at the target is replaced, unless it is a folder with entries. */
  rename(from: string, to: string): Promise<Result<FileInfo, ExecError>>;

  /** Removes a file, a link, or a folder. */
  remove(path: string, options?: RemoveOptions): Promise<Result<void, ExecError>>;
}

/** Most bytes of one read or write: 8 MiB. */
export const MAX_FILE_BYTES = 8_388_608;
/** Most entries of one listing. */
export const MAX_FOLDER_ENTRIES = 10_000;

export interface ReadOptions {
  /** The first byte. Default 0. */
  readonly offset?: number | undefined;
  /** Most bytes to read. Default and at most {@link MAX_FILE_BYTES}. */
  readonly maxBytes?: number | undefined;
}

export interface WriteOptions {
  /** The permission bits of a file that is made. Default those that the env's umask leaves of 0666. */
  readonly mode?: number | undefined;
  /**
   * What has to lie there for the write to happen, else it fails: a version that a read gave (`file_changed`), or `"absent"`
   * (`file_exists`).
   */
  readonly expect?: string | undefined;
}

export interface RemoveOptions {
  /** Whether a folder goes with all that is in it. Default false: only an empty one goes. */
  readonly recursive?: boolean | undefined;
}

export type FileKind = "file" | "folder" | "link" | "other";

export interface FileInfo {
  /** Absolute, with no link in it. */
  readonly path: string;
  readonly kind: FileKind;
  readonly bytes: number;
  /** The permission bits. */
  readonly mode: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  /** Another after every change of a file's content. */
  readonly version: string;
}

export interface FileBytes {
  readonly info: FileInfo;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface FolderListing {
  /** Absolute, with no link in it. */
  readonly path: string;
  readonly entries: readonly FolderEntry[];
  /** Whether there are more. */
  readonly truncated: boolean;
}

export interface FolderEntry {
  readonly name: string;
  /** Of the entry itself: a link is a link. */
  readonly kind: FileKind;
}
