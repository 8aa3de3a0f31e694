import { MAX_PROGRESS_BYTES } from "./view.js";

/** What takes the text of the merged stream. */
export interface TextSink {
  /** Takes text that follows what came before; a line may go on in the next piece. */
  append(text: string): void;
  /** Takes back what it has of the line that has no newline yet. */
  dropOpenLine(): void;
}

/**
 * Makes lines of the merged text of both pipes. A carriage return starts its line anew with the next character, so that CRLF
 * is a newline and the last segment that is not empty stays. The line that has no newline yet is held back as progress until
 * it has one, or is too long for that.
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

  /** Whether all of the open line is in the sink, and text without a carriage return goes on with it. */
  get isWithinLongLine(): boolean {
    return this.#isMoved && this.#open === "" && !this.#isReturned;
  }

  add(text: string): void {
    if (text === "") return;
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) this.#endLines(text.slice(0, end));
    this.#addToLine(text.slice(end));
    this.#moveLongLine();
  }

  /** The stream has ended: the open line joins the text. */
  finish(): void {
    this.#sink.append(this.#open);
    this.#open = "";
    this.#isMoved = true;
  }

  /** Forgets the open line: a line begins here. */
  skipLine(): void {
    this.#open = "";
    this.#isMoved = false;
    this.#isReturned = false;
  }

  /** Takes what ends with a newline. */
  #endLines(text: string): void {
    const hasReturns = this.#isReturned || text.includes("\r");
    if (!hasReturns) this.#sink.append(this.#open + text);
    else {
      const end = text.indexOf("\n");
      this.#addToLine(text.slice(0, end));
      this.#sink.append(`${this.#open}\n${lastSegments(text.slice(end + 1))}`);
    }
    this.skipLine();
  }

  #addToLine(text: string): void {
    if (text === "") return;
    const seen = withoutReturnsAtEnd(text);
    if (seen !== "") {
      const start = seen.lastIndexOf("\r") + 1;
      if (this.#isReturned || start > 0) this.#restartLine();
      this.#open += seen.slice(start);
      this.#isReturned = false;
    }
    if (seen.length < text.length) this.#isReturned = true;
  }

  #restartLine(): void {
    if (this.#isMoved) this.#sink.dropOpenLine();
    this.skipLine();
  }

  #moveLongLine(): void {
    if (!this.#isMoved && !isTooLong(this.#open)) return;
    this.#sink.append(this.#open);
    this.#open = "";
    this.#isMoved = true;
  }
}

function lastSegments(lines: string): string {
  if (!lines.includes("\r")) return lines;
  return lines.split("\n").map(lastSegment).join("\n");
}

function lastSegment(line: string): string {
  const seen = withoutReturnsAtEnd(line);
  return seen.slice(seen.lastIndexOf("\r") + 1);
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
