import { MAX_PROGRESS_BYTES } from "./view.js";

/** What takes the text of the merged stream. */
export interface TextSink {
  /** Takes text that follows what came before; a line may go on in the next piece. */
  append(text: string): void;
  /** Takes back what it has of the line that has no newline yet. */
  dropOpenLine(): void;
}

/**
 * Makes lines of the merged text of both pipes. Of a line with carriage returns the last segment wins; CRLF is a newline. The
 * line that has no newline yet is held back as progress until it has one, or is too long for that.
 */
export class LineMerger {
  readonly #sink: TextSink;
  #open = "";
  /** Whether the front of the open line is in the sink already. */
  #isMoved = false;
  /** Whether a carriage return came last: what comes next decides what it meant. */
  #isReturned = false;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** The open line; `undefined` when there is none, or when it is in the sink. */
  get progress(): string | undefined {
    return this.#isMoved || this.#open === "" ? undefined : this.#open;
  }

  add(text: string): void {
    if (text === "") return;
    if (this.#isReturned || text.includes("\r")) this.#addWithReturns(text);
    else this.#addPlain(text);
    this.#moveLongLine();
  }

  /** The stream has ended: the open line joins the text. */
  finish(): void {
    if (this.#open === "") return;
    this.#sink.append(this.#open);
    this.#open = "";
    this.#isMoved = true;
  }

  #addPlain(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) {
      this.#sink.append(this.#open + text.slice(0, end));
      this.#open = "";
      this.#isMoved = false;
    }
    this.#open += end === 0 ? text : text.slice(end);
  }

  #addWithReturns(text: string): void {
    let from = 0;
    while (from < text.length) {
      const newline = text.indexOf("\n", from);
      const end = newline === -1 ? text.length : newline;
      this.#addToLine(text.slice(from, end));
      if (newline !== -1) this.#endLine();
      from = end + 1;
    }
  }

  /** Takes a part of one line, in which every carriage return but a last one starts the line anew. */
  #addToLine(part: string): void {
    if (part === "") return;
    const isReturned = part.endsWith("\r");
    const seen = isReturned ? withoutReturnsAtEnd(part) : part;
    const segment = seen.lastIndexOf("\r") + 1;
    if (seen !== "") {
      if (this.#isReturned || segment > 0) this.#restartLine();
      this.#open += segment === 0 ? seen : seen.slice(segment);
    }
    this.#isReturned = isReturned || (this.#isReturned && seen === "");
  }

  #restartLine(): void {
    this.#open = "";
    if (this.#isMoved) this.#sink.dropOpenLine();
    this.#isMoved = false;
  }

  #endLine(): void {
    this.#sink.append(`${this.#open}\n`);
    this.#open = "";
    this.#isMoved = false;
    this.#isReturned = false;
  }

  #moveLongLine(): void {
    if (!this.#isMoved && !isTooLong(this.#open)) return;
    if (this.#open === "") return;
    this.#sink.append(this.#open);
    this.#open = "";
    this.#isMoved = true;
  }
}

function withoutReturnsAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x0d) end -= 1;
  return text.slice(0, end);
}

function isTooLong(text: string): boolean {
  // A code unit takes one to three bytes.
  if (text.length > MAX_PROGRESS_BYTES) return true;
  return text.length * 3 > MAX_PROGRESS_BYTES && Buffer.byteLength(text) > MAX_PROGRESS_BYTES;
}
