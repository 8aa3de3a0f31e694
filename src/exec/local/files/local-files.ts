import { constants } from "node:fs";
import { lstat, mkdir, open, opendir, realpath, rename, rm, rmdir, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { BigIntStats, Dirent } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ExecError } from "../../errors.js";
import { MAX_FILE_BYTES, MAX_FOLDER_ENTRIES } from "../../files.js";
import type { EnvFiles, FileBytes, FileInfo, FileKind, FolderEntry, FolderListing, ReadOptions } from "../../files.js";
import { ok } from "../../result.js";
import { codedFile } from "./file-failure.js";
import { infoOf, kindOf } from "./file-info.js";
import { writeWhole } from "./write-whole.js";

/** The files of this machine. `random` gives numbers from 0 up to 1; names of files that are being written are made of them. */
export function createLocalFiles(cwd: string, random: () => number): EnvFiles {
  const at = (path: string): string => resolvePath(cwd, path);
  return {
    stat: (path) => codedFile(path, async () => ok(await statPath(at(path)))),
    read: (path, options = {}) => codedFile(path, async () => ok(await readPiece(at(path), options))),
    write: (path, bytes, options = {}) =>
      codedFile(path, async () => ok(await writeWhole(at(path), bytes, options, random))),
    list: (path) => codedFile(path, async () => ok(await listFolder(at(path)))),
    makeFolder: (path) =>
      codedFile(path, async () => {
        await mkdir(at(path), { recursive: true });
        return ok(await statPath(at(path)));
      }),
    rename: (from, to) =>
      codedFile(from, async () => {
        await rename(at(from), at(to));
        return ok(await lstatPath(at(to)));
      }),
    remove: (path, { recursive = false } = {}) =>
      codedFile(path, async () => ok(await removePath(at(path), recursive))),
  };
}

const MAX_PATH_BYTES = 4_096;

function resolvePath(cwd: string, path: string): string {
  if (path === "") throw new ExecError("invalid_argument", "the path is empty; name a file");
  if (path.includes("\0")) throw new ExecError("invalid_argument", "the path holds a NUL character");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new ExecError("invalid_argument", `the path is longer than ${MAX_PATH_BYTES} bytes`);
  }
  return resolve(cwd, path);
}

async function statPath(path: string): Promise<FileInfo> {
  const stats = await stat(path, { bigint: true });
  return infoOf(await realpath(path), stats);
}

/** Of a link itself: where it lies, not where it leads. */
async function lstatPath(path: string): Promise<FileInfo> {
  const stats = await lstat(path, { bigint: true });
  return infoOf(join(await realpath(dirname(path)), basename(path)), stats);
}

async function readPiece(path: string, { offset = 0, maxBytes = MAX_FILE_BYTES }: ReadOptions): Promise<FileBytes> {
  checkCount("offset", offset, Number.MAX_SAFE_INTEGER);
  checkCount("maxBytes", maxBytes, MAX_FILE_BYTES);
  const info = await statPath(path);
  checkPlain(path, info.kind);
  // A pipe that has taken the file's place meanwhile would wait for somebody to write to it.
  const file = await open(info.path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat({ bigint: true });
    checkPlain(path, kindOf(stats));
    return { info: infoOf(info.path, stats), offset, bytes: await readAt(file, stats, offset, maxBytes) };
  } finally {
    await file.close();
  }
}

function checkPlain(path: string, kind: FileKind): void {
  if (kind === "file") return;
  throw new ExecError(
    "not_a_file",
    `${path} is ${kind === "folder" ? "a folder" : "a pipe, a socket or a device"}, not a file`,
  );
}

function checkCount(name: string, value: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= most) return;
  throw new ExecError("invalid_argument", `${name} is ${value}; give a whole number of bytes from 0 to ${most}`);
}

/** Files of the kernel have no size and still have content, so the size is only where to begin. */
async function readAt(file: FileHandle, { size }: BigIntStats, offset: number, maxBytes: number): Promise<Uint8Array> {
  const expected = size === 0n ? maxBytes : Math.min(maxBytes, Math.max(0, Number(size) - offset));
  const buffer = Buffer.alloc(Math.min(expected, maxBytes));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, offset + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length === buffer.length ? buffer : Buffer.from(buffer.subarray(0, length));
}

/** Names that are looked at to find the first ones; with more, those that come are any. */
const MAX_SORTED_ENTRIES = 100_000;

async function listFolder(path: string): Promise<FolderListing> {
  const entries: FolderEntry[] = [];
  let truncated = false;
  for await (const entry of await opendir(path, { bufferSize: 256 })) {
    truncated = entries.length === MAX_SORTED_ENTRIES;
    if (truncated) break;
    entries.push({ name: entry.name, kind: kindOf(entry satisfies Dirent) });
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    path: await realpath(path),
    entries: entries.slice(0, MAX_FOLDER_ENTRIES),
    truncated: truncated || entries.length > MAX_FOLDER_ENTRIES,
  };
}

async function removePath(path: string, recursive: boolean): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) await unlink(path);
  else if (recursive) await rm(path, { recursive: true });
  else await rmdir(path);
}
