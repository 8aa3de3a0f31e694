import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CliError } from "../failure.js";
import type { Places } from "../places.js";
import type { StoredCall } from "./stored-call.js";

/** A whole output as bytes, wherever they lie. */
export interface OutputSource extends AsyncDisposable {
  readonly length: number;
  /** The bytes from `start` on, in pieces. */
  pieces(start: number): AsyncIterable<Uint8Array>;
  read(start: number, end: number): Promise<Uint8Array>;
}

const PIECE_BYTES = 262_144;

/** `undefined` where there is no such file. What a log says of a path is not trusted: it has to be a spill of its session. */
export async function openSpill(places: Places, { session, spillPath }: StoredCall): Promise<OutputSource | undefined> {
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

function readingFile(file: FileHandle, length: number): OutputSource {
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  };
  return {
    length,
    read,
    async *pieces(start) {
      for (let at = start; at < length;) {
        const piece = await read(at, Math.min(length, at + PIECE_BYTES));
        // It was cut meanwhile.
        if (piece.length === 0) return;
        yield piece;
        at += piece.length;
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  };
}

/** Text that its session holds whole, as a source. */
export function readingText(text: string): OutputSource {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
    async *pieces(start) {
      yield await Promise.resolve(bytes.subarray(start));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
