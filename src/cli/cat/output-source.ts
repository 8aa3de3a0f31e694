import type { FileHandle } from "node:fs/promises";

/** An output as bytes, wherever they lie. */
export interface OutputSource extends AsyncDisposable {
  readonly origin: "spill" | "session";
  readonly length: number;
  /** The bytes from `start` on, in pieces. */
  pieces(start: number): AsyncIterable<Uint8Array>;
  read(start: number, end: number): Promise<Uint8Array>;
}

const PIECE_BYTES = 262_144;

/** The file is closed with the source. */
export function readingFile(file: FileHandle, length: number): OutputSource {
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    return buffer.subarray(0, bytesRead);
  };
  return {
    origin: "spill",
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

/** Two outputs, one behind the other. */
export function joiningSources(first: OutputSource, second: OutputSource): OutputSource {
  return {
    origin: first.origin,
    length: first.length + second.length,
    async read(start, end) {
      const pieces = [
        await first.read(Math.min(start, first.length), Math.min(end, first.length)),
        await second.read(Math.max(start - first.length, 0), Math.max(end - first.length, 0)),
      ];
      return Buffer.concat(pieces);
    },
    async *pieces(start) {
      if (start < first.length) yield* first.pieces(start);
      yield* second.pieces(Math.max(start - first.length, 0));
    },
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]();
      await second[Symbol.asyncDispose]();
    },
  };
}

/** Text that a session holds. */
export function readingText(text: string): OutputSource {
  const bytes = Buffer.from(text);
  return {
    origin: "session",
    length: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
    async *pieces(start) {
      yield await Promise.resolve(bytes.subarray(start));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
