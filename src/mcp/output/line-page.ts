import type { OutputFile } from "./output-file.js";

/** A place between two lines. */
export interface LinePlace {
  /** Lines before it. */
  readonly line: number;
  /** Bytes before it. */
  readonly offset: number;
}

export const START: LinePlace = { line: 0, offset: 0 };

export interface PageRequest {
  /** Where to begin to look; at or before what is wanted. */
  readonly from: LinePlace;
  readonly afterLine: number;
  readonly maxBytes: number;
  /** Whether what stands behind the last newline counts as a line: nothing more will come. */
  readonly isOver: boolean;
}

/** Whole lines of an output. */
export interface LinePage {
  readonly bytes: Uint8Array;
  /** Behind the last line that is here, or behind those that were skipped. */
  readonly end: LinePlace;
  /** Lines that are here. */
  readonly count: number;
  /** Whether there are more. */
  readonly hasMore: boolean;
  /** Size of the one line that is here, of which only the start is. */
  readonly cutLineBytes?: number;
}

const NEWLINE = 0x0a;

/** The lines after one of them, as many as fit; of a line that alone does not, its start. Holds no more than that. */
export async function readLinePage(file: OutputFile, request: PageRequest): Promise<LinePage> {
  const page = new PageBuilder(request);
  for await (const piece of file.pieces(request.from.offset)) if (!page.take(piece)) break;
  return page.finish();
}

class PageBuilder {
  readonly #request: PageRequest;
  readonly #lines: Uint8Array[] = [];
  #bytes = 0;
  /** Behind the last line that has ended, as a place. */
  #line: number;
  #offset: number;
  #count = 0;
  #hasMore = false;
  #cutLineBytes: number | undefined;
  /** The start of the line that has not ended, as far as it could be of use. */
  #open: Uint8Array[] = [];
  #openKept = 0;
  #openBytes = 0;

  constructor(request: PageRequest) {
    this.#request = request;
    this.#line = request.from.line;
    this.#offset = request.from.offset;
  }

  /** False where nothing more is wanted. */
  take(piece: Uint8Array): boolean {
    for (let at = this.#skip(piece); at < piece.length;) {
      const newline = piece.indexOf(NEWLINE, at);
      const next = newline === -1 ? piece.length : newline + 1;
      if (this.#cutLineBytes !== undefined || (this.#count > 0 && this.#bytes >= this.#request.maxBytes)) {
        this.#hasMore = true;
        return false;
      }
      this.#extend(piece.subarray(at, next));
      if (newline !== -1 && !this.#endLine()) return false;
      at = next;
    }
    return true;
  }

  finish(): LinePage {
    if (this.#openBytes > 0 && this.#request.isOver && !this.#hasMore) this.#endLine();
    return {
      bytes: Buffer.concat(this.#lines),
      end: { line: this.#line, offset: this.#offset },
      count: this.#count,
      hasMore: this.#hasMore,
      ...(this.#cutLineBytes === undefined ? {} : { cutLineBytes: this.#cutLineBytes }),
    };
  }

  /** Goes past lines that are not wanted, of which there may be millions; gives where the wanted ones begin. */
  #skip(piece: Uint8Array): number {
    const { afterLine } = this.#request;
    let line = this.#line;
    let at = 0;
    let lineStart = -1;
    for (; at < piece.length && line < afterLine; at += 1) {
      if (piece[at] !== NEWLINE) continue;
      line += 1;
      lineStart = at + 1;
    }
    this.#offset += lineStart === -1 ? 0 : this.#openBytes + lineStart;
    this.#openBytes = lineStart === -1 ? this.#openBytes + at : at - lineStart;
    this.#line = line;
    return at;
  }

  #extend(part: Uint8Array): void {
    this.#openBytes += part.length;
    const kept = part.subarray(0, this.#request.maxBytes - this.#openKept);
    if (kept.length === 0) return;
    // A copy, which slice() is not of a Buffer: whoever gives the pieces may use them again.
    this.#open.push(new Uint8Array(kept));
    this.#openKept += kept.length;
  }

  #endLine(): boolean {
    if (!this.#isSkipping() && !this.#keepLine()) return false;
    this.#line += 1;
    this.#offset += this.#openBytes;
    this.#open = [];
    this.#openKept = 0;
    this.#openBytes = 0;
    return true;
  }

  #keepLine(): boolean {
    if (this.#count > 0 && this.#bytes + this.#openBytes > this.#request.maxBytes) {
      this.#hasMore = true;
      return false;
    }
    if (this.#openBytes > this.#request.maxBytes) this.#cutLineBytes = this.#openBytes;
    this.#lines.push(...this.#open);
    this.#bytes += this.#openKept;
    this.#count += 1;
    return true;
  }

  #isSkipping(): boolean {
    return this.#line < this.#request.afterLine;
  }
}
