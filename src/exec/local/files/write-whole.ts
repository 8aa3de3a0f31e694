import { link, open, readlink, realpath, rename, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { BigIntStats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ExecError } from "../../errors.js";
import { MAX_FILE_BYTES } from "../../files.js";
import type { FileInfo, WriteOptions } from "../../files.js";
import { infoOf } from "./file-info.js";

/**
 * Writes beside the file, and puts the new one in its place when it is whole and on the disk. So a crash leaves the old one
 * or the new one, and a file that cannot take the bytes is as it was.
 */
export async function writeWhole(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions,
  random: () => number,
): Promise<FileInfo> {
  checkWrite(bytes, options);
  const target = await followLinks(path);
  const before = await stat(target, { bigint: true }).catch(ifMissing);
  if (before !== undefined && !before.isFile()) {
    throw new ExecError("not_a_file", `${path} is ${before.isDirectory() ? "a folder" : "no plain file"}`);
  }
  checkExpected(path, options.expect, target, before);
  const beside = join(dirname(target), `.${basename(target).slice(0, 200)}.${randomName(random)}.new`);
  const file = await open(beside, "wx", options.mode ?? 0o666).catch(explainBeside(path));
  try {
    await fill(file, bytes, before, options.mode);
    // A link fails where a rename would replace what somebody made meanwhile.
    if (options.expect === "absent") await link(beside, target);
    else await rename(beside, target).catch(explainMount(path));
    await unlink(beside).catch(ifMissing);
    return infoOf(target, await file.stat({ bigint: true }));
  } catch (error) {
    await unlink(beside).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

function checkWrite(bytes: Uint8Array, { mode }: WriteOptions): void {
  if (bytes.length > MAX_FILE_BYTES) {
    throw new ExecError(
      "file_too_large",
      `${bytes.length} bytes are more than the ${MAX_FILE_BYTES} that one write takes; have a command write them`,
    );
  }
  if (mode !== undefined && !(Number.isInteger(mode) && mode >= 0 && mode <= 0o777)) {
    throw new ExecError("invalid_argument", `mode is ${mode}; give permission bits from 0 to 0o777`);
  }
}

/** Where the bytes are to lie: a link stays, also one to a file that is not there yet. */
async function followLinks(path: string, links = 0): Promise<string> {
  const found = await realpath(path).catch(ifMissing);
  if (found !== undefined) return found;
  const folder = await realpath(dirname(path));
  const leadsTo = await readlink(path).catch(() => undefined);
  if (leadsTo === undefined || links === MAX_LINKS) return join(folder, basename(path));
  return followLinks(resolve(folder, leadsTo), links + 1);
}

/** As the kernel's own limit. */
const MAX_LINKS = 40;

function checkExpected(
  path: string,
  expect: string | undefined,
  target: string,
  before: BigIntStats | undefined,
): void {
  if (expect === undefined) return;
  if (expect === "absent") {
    if (before !== undefined) throw new ExecError("file_exists", `${path} exists already`);
  } else if (before === undefined || infoOf(target, before).version !== expect) {
    throw new ExecError("file_changed", `${path} was changed since it was read; read it again`);
  }
}

async function fill(
  file: FileHandle,
  bytes: Uint8Array,
  before: BigIntStats | undefined,
  mode: number | undefined,
): Promise<void> {
  await file.writeFile(bytes);
  if (before !== undefined) {
    // Another's file, where this user may give files away; else it becomes this user's.
    await file.chown(Number(before.uid), Number(before.gid)).catch(() => undefined);
    await file.chmod(Number(before.mode & 0o7777n));
  } else if (mode !== undefined) {
    await file.chmod(mode);
  }
  await file.sync();
}

/** The file may be this user's to write; what cannot be done is to put another in its place. */
function explainBeside(path: string): (error: unknown) => never {
  return (cause) => {
    if (!hasCode(cause, "EACCES", "EPERM", "EROFS")) throw cause;
    const why = "a file is replaced whole, and nothing can be made in its folder; have a command write into it";
    throw new ExecError("permission_denied", `${path} cannot be written: ${why}`, { cause });
  };
}

function explainMount(path: string): (error: unknown) => never {
  return (cause) => {
    if (!hasCode(cause, "EBUSY", "EXDEV")) throw cause;
    const why = "it is a mount of its own and cannot be replaced whole; have a command write into it";
    throw new ExecError("file_failed", `${path} cannot be written: ${why}`, { cause });
  };
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function ifMissing(error: unknown): undefined {
  if (hasCode(error, "ENOENT")) return undefined;
  throw error;
}

function randomName(random: () => number): string {
  return Math.floor(random() * 36 ** 8).toString(36);
}
