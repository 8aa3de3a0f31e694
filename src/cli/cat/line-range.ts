/** Lines from 1 on, both ends included; `Infinity` where the range is open. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

const NEWLINE = 0x0a;

/** The bytes of the lines in a range, whatever pieces they come in. Reads no further than the range's end. */
export async function* cutLines(
  pieces: AsyncIterable<Uint8Array>,
  { first, last }: LineRange,
): AsyncGenerator<Uint8Array> {
  let line = 1;
  for await (const piece of pieces) {
    const start = first > line ? skipLines(piece, first - line) : { at: 0, lines: 0 };
    line += start.lines;
    if (line < first) continue;
    const end = last === Infinity ? undefined : skipLines(piece.subarray(start.at), last - line + 1);
    line += end?.lines ?? 0;
    const part = piece.subarray(start.at, end === undefined ? undefined : start.at + end.at);
    if (part.length > 0) yield part;
    if (line > last) return;
  }
}

/** Where the text goes on behind so many newlines, or its end and the newlines that there were. */
function skipLines(bytes: Uint8Array, count: number): { readonly at: number; readonly lines: number } {
  let at = 0;
  for (let lines = 0; lines < count; lines += 1) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline === -1) return { at: bytes.length, lines };
    at = newline + 1;
  }
  return { at, lines: count };
}

/** Reads a part of something that has a length. */
export interface ByteSource {
  readonly length: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

const BLOCK_BYTES = 65_536;

/** Where the last `count` lines begin, found from the end backwards; a newline at the very end ends the last line. */
export async function findTailStart(source: ByteSource, count: number): Promise<number> {
  let wanted = count;
  for (let end = source.length; end > 0; end -= BLOCK_BYTES) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const block = await source.read(start, end);
    let at = end === source.length && block.at(-1) === NEWLINE ? block.length - 1 : block.length;
    for (;;) {
      const newline = at === 0 ? -1 : block.lastIndexOf(NEWLINE, at - 1);
      if (newline === -1) break;
      wanted -= 1;
      if (wanted === 0) return start + newline + 1;
      at = newline;
    }
  }
  return 0;
}
