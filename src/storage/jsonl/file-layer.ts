/**
 * The file system as storage needs it. Every call may fail with the system's error; no call but `sync`, `writeSynced`
 * and `syncFolder` makes anything safe from a power cut.
 */
export interface FileLayer {
  /**
   * `read` and `write` want a file that exists; `create` wants none, and makes it readable by its owner alone. Fails
   * at once, and without waiting, for what is no regular file: a link, a folder, a pipe, a device.
   */
  open(path: string, mode: "read" | "write" | "create"): Promise<OpenFile>;
  /** Of what bears this name itself, a link too; `undefined` where nothing does. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Replaces what lies at `to`. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** The names in a folder; none where the folder is missing. */
  list(folder: string): Promise<readonly string[]>;
  /** Makes a folder, with its parents, for its owner alone and safe from a power cut; one that exists is left as it is. */
  makeFolder(path: string): Promise<void>;
  /** Makes the names in a folder safe from a power cut. */
  syncFolder(path: string): Promise<void>;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  /** Fills the buffer from a position and gives how many bytes came, less only at the end of the file. */
  read(buffer: Buffer, position: number): Promise<number>;
  /** One write; gives how many bytes were taken, which may be less. */
  write(bytes: Buffer, position: number): Promise<number>;
  /**
   * One write that is safe from a power cut when it returns, which need not hold of earlier ones. Where it fails, nobody
   * knows whether the write did or its sync; a `sync` after it tells, because it fails in the second case.
   */
  writeSynced(bytes: Buffer, position: number): Promise<number>;
  truncate(size: number): Promise<void>;
  /** Makes the content and the size safe from a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileStat {
  readonly size: number;
  /** Differs between two files that follow each other under one name. */
  readonly identity: string;
}
