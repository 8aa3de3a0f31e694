import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CliError } from "../failure.js";
import type { Places } from "../places.js";
import { readingFile } from "./output-source.js";
import type { OutputSource } from "./output-source.js";
import type { StoredCall } from "./stored-call.js";

/** `undefined` where there is no such file. What a log says of a path is not trusted: it has to be a spill of its session. */
export async function openSpill(
  places: Places,
  { session, spillPath }: Pick<StoredCall, "session" | "spillPath">,
): Promise<OutputSource | undefined> {
  if (spillPath === undefined) return undefined;
  if (resolve(spillPath) !== spillPath || dirname(spillPath) !== places.spillFolder(session)) {
    throw new CliError("not_found", `the session names ${spillPath}, which is no output file of it; it is not read`);
  }
  const file = await openFile(spillPath);
  return file === undefined ? undefined : readingFile(file, (await file.stat()).size);
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
