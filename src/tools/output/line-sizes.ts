import { lineStart } from "./fit.js";

/** The exact sizes of the first and the last line of all that was written, which a window may show in part. */
export class LineSizes {
  /** UTF-8 bytes without the newline. */
  first = 0;
  last = 0;
  #firstEnded = false;
  #lastEnded = false;

  add(text: string): void {
    if (text === "") return;
    if (!this.#firstEnded) this.#growFirst(text);
    this.#growLast(text);
  }

  #growFirst(text: string): void {
    const end = text.indexOf("\n");
    this.first += Buffer.byteLength(end < 0 ? text : text.slice(0, end));
    this.#firstEnded = end >= 0;
  }

  #growLast(text: string): void {
    const ended = text.endsWith("\n");
    const end = ended ? text.length - 1 : text.length;
    const start = lineStart(text, end);
    const isNew = this.#lastEnded || start > 0;
    const bytes = Buffer.byteLength(text.slice(start, end));
    this.last = isNew ? bytes : this.last + bytes;
    this.#lastEnded = ended;
  }
}
