import * as fs from "node:fs";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import type { FileLayer, FileStat, OpenFile } from "./file-layer.js";

/** The file system of this machine. */
export const nodeFiles: FileLayer = {
  async open(path, mode) {
    return new NodeFile(await openRegular(path, FLAGS[mode]));
  },
  async stat(path) {
    return fs.promises.lstat(path, { bigint: true }).then(toFileStat, (error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  },
  rename: (from, to) => fs.promises.rename(from, to),
  unlink: (path) => fs.promises.unlink(path),
  async list(folder) {
    return fs.promises.readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  },
  async makeFolder(path) {
    const first = await fs.promises.mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    // The name of each that was made lies in the one above it.
    for (let made = resolve(path); made.length >= first.length; made = dirname(made)) {
      await nodeFiles.syncFolder(dirname(made));
    }
  },
  async syncFolder(path) {
    const folder = await open(path, fs.constants.O_RDONLY);
    try {
      await sync(folder);
    } finally {
      await close(folder);
    }
  },
};

const { O_CREAT, O_DSYNC, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = fs.constants;
const FLAGS = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  write: O_RDWR | O_NOFOLLOW | O_NONBLOCK,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
};

// Calls by descriptor, because a `FileHandle` costs a third of a short write and its sync.
const open = promisify(fs.open);
const close = promisify(fs.close);
const read = promisify(fs.read);
const sync = promisify(fs.fsync);
const syncData = promisify(fs.fdatasync);
const truncate = promisify(fs.ftruncate);
const stat = promisify(fs.fstat);

/**
 * Opens what is a file and nothing else: a pipe would wait for a writer that never comes, a device may act on being
 * opened, and a link leads out of the folder. It may become one of those until it is opened, so it is asked again.
 */
export async function openRegular(path: string, flags: number): Promise<number> {
  const before = await fs.promises.lstat(path).catch(() => undefined);
  if (before !== undefined) refuseOther(path, before);
  const descriptor = await open(path, flags, 0o600);
  try {
    refuseOther(path, await stat(descriptor));
    return descriptor;
  } catch (error) {
    await close(descriptor);
    throw error;
  }
}

function refuseOther(path: string, stats: fs.Stats): void {
  if (stats.isFile()) return;
  const kind = stats.isSymbolicLink()
    ? "a symbolic link"
    : stats.isDirectory()
      ? "a folder"
      : stats.isFIFO()
        ? "a named pipe"
        : stats.isSocket()
          ? "a socket"
          : "a device";
  throw new Error(`${path} is ${kind}, where only a file may be; move it elsewhere`);
}

/**
 * The same file by a second descriptor, whose every write is synced. Only where the kernel opens what a descriptor
 * leads to, whatever its name is by now: on Linux.
 */
function openSynced(descriptor: number): Promise<number | null> {
  return open(`/proc/self/fd/${descriptor}`, O_RDWR | O_DSYNC).catch(() => null);
}

/** By hand, because what `promisify` makes of a write costs a tenth of a short commit. */
function writeAt(descriptor: number, bytes: Buffer, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.write(descriptor, bytes, 0, bytes.length, position, (error, count) => {
      if (error === null) resolve(count);
      else reject(error);
    });
  });
}

class NodeFile implements OpenFile {
  readonly #descriptor: number;
  /** Of the second descriptor; `null` where there can be none. */
  #synced: number | null | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async stat(): Promise<FileStat> {
    return toFileStat(await stat(this.#descriptor, { bigint: true }));
  }

  async read(buffer: Buffer, position: number): Promise<number> {
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await read(this.#descriptor, buffer, filled, buffer.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return filled;
  }

  write(bytes: Buffer, position: number): Promise<number> {
    return writeAt(this.#descriptor, bytes, position);
  }

  writeSynced(bytes: Buffer, position: number): Promise<number> {
    return typeof this.#synced === "number"
      ? writeAt(this.#synced, bytes, position)
      : this.#writeSyncedFirst(bytes, position);
  }

  truncate(size: number): Promise<void> {
    return truncate(this.#descriptor, size);
  }

  sync(): Promise<void> {
    return syncData(this.#descriptor);
  }

  async close(): Promise<void> {
    try {
      if (typeof this.#synced === "number") await close(this.#synced);
    } finally {
      await close(this.#descriptor);
    }
  }

  async #writeSyncedFirst(bytes: Buffer, position: number): Promise<number> {
    if (this.#synced === undefined) this.#synced = await openSynced(this.#descriptor);
    if (this.#synced !== null) return writeAt(this.#synced, bytes, position);
    const count = await this.write(bytes, position);
    await this.sync();
    return count;
  }
}

function toFileStat({ size, dev, ino }: fs.BigIntStats): FileStat {
  return { size: Number(size), identity: `${dev}:${ino}` };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
