const NEWLINE = 0x0a;
const RETURN = 0x0d;
const NONE = new Uint8Array(0);

/** One line of a file. */
export interface FileLine {
  /** From 1. */
  readonly number: number;
  /** Its first bytes, without its end; all of them unless {@link bytes} says that there are more. */
  readonly start: Uint8Array;
  /** All bytes of the line, without its end. */
  readonly bytes: number;
  readonly end: "lf" | "crlf" | "none";
}

/**
 * Cuts pieces of a file into lines. Of each line at most `keepBytes` are held, so that memory is bounded whatever the
 * file is; a line that nobody wants is only counted.
 */
export class LineCutter {
  /** Lines that have ended. */
  ended = 0;
  readonly #keepBytes: number;
  #start: Uint8Array = NONE;
  #bytes = 0;
  #last = 0;

  constructor(keepBytes: number) {
    this.#keepBytes = keepBytes;
  }

  /** Gives every line that ends in the piece to `take`, until that says `false`. Gives the bytes that were cut. */
  cut(piece: Uint8Array, take: (line: FileLine) => boolean): number {
    for (let from = 0; from < piece.length;) {
      const end = piece.indexOf(NEWLINE, from);
      this.#hold(piece, from, end === -1 ? piece.length : end);
      if (end === -1) break;
      from = end + 1;
      if (!take(this.#endLine("lf"))) return from;
    }
    return piece.length;
  }

  /** Counts the lines that end in the piece, and holds nothing of them. */
  skim(piece: Uint8Array): void {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      this.ended += 1;
      from = end + 1;
    }
    if (from > 0) this.#start = NONE;
    if (from > 0) this.#bytes = 0;
    this.#bytes += piece.length - from;
  }

  /** The line that the file ends within; `undefined` where its last line has ended. */
  finish(): FileLine | undefined {
    return this.#bytes === 0 ? undefined : this.#endLine("none");
  }

  #hold(piece: Uint8Array, from: number, to: number): void {
    if (to === from) return;
    const room = this.#keepBytes - this.#start.length;
    const held = piece.subarray(from, Math.min(to, from + room));
    this.#start = this.#start.length === 0 ? held : Buffer.concat([this.#start, held]);
    this.#bytes += to - from;
    this.#last = piece[to - 1] ?? 0;
  }

  #endLine(end: "lf" | "none"): FileLine {
    const isReturned = end === "lf" && this.#bytes > 0 && this.#last === RETURN;
    const bytes = this.#bytes - (isReturned ? 1 : 0);
    const start = this.#start.subarray(0, bytes);
    this.ended += 1;
    this.#start = NONE;
    this.#bytes = 0;
    return { number: this.ended, start, bytes, end: isReturned ? "crlf" : end };
  }
}
