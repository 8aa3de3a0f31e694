import { getOrThrow } from "../../exec/index.js";
import type { EnvFiles, FileBytes } from "../../exec/index.js";
import { unlessAborted } from "./aborts.js";

/** Bytes of a piece: enough that a link's delay does not count, little enough to be held several times. */
export const PIECE_BYTES = 1_048_576;

/**
 * A file from its first byte to its last, piece by piece; one that is empty is one empty piece. The end is where nothing
 * more comes, not where the size says: files of the kernel have none.
 */
export async function* readPieces(files: EnvFiles, path: string, signal: AbortSignal): AsyncGenerator<FileBytes, void> {
  for (let offset = 0; ;) {
    const piece = getOrThrow(await unlessAborted(signal, files.read(path, { offset, maxBytes: PIECE_BYTES })));
    if (piece.bytes.length === 0 && offset > 0) return;
    yield piece;
    if (piece.bytes.length === 0) return;
    offset += piece.bytes.length;
  }
}
