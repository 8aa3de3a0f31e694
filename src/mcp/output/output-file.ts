/** Bytes of an output, wherever they lie. */
export interface OutputFile extends AsyncDisposable {
  readonly length: number;
  /** The bytes from `start` on, in pieces. */
  pieces(start: number): AsyncIterable<Uint8Array>;
}

export function textFile(text: string): OutputFile {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    async *pieces(start) {
      yield await Promise.resolve(bytes.subarray(start));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Two outputs, one behind the other. */
export function joinFiles(first: OutputFile, second: OutputFile): OutputFile {
  return {
    length: first.length + second.length,
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
