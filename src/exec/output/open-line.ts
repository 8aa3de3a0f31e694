import { endWithin, startWithin } from "./text-cut.js";

/** A line that has no newline yet, however long: its exact size, and as much of both ends as a window can show. */
export class OpenLine {
  /** Neither end is asked for more bytes than this, and a byte is at most one code unit. */
  readonly #maxBytes: number;
  #bytes = 0;
  #units = 0;
  #front = "";
  /** What follows `#front`; once it was cut it holds at least `#maxBytes` code units. */
  #back = "";

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** UTF-8 bytes of the whole line. */
  get bytes(): number {
    return this.#bytes;
  }

  /** UTF-16 code units of the whole line. */
  get units(): number {
    return this.#units;
  }

  append(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    this.#units += text.length;
    const room = this.#back === "" ? this.#maxBytes - this.#front.length : 0;
    this.#front += text.length <= room ? text : text.slice(0, room);
    if (text.length > room) this.#back += text.slice(room);
    // Cut seldom: a cut copies what it keeps.
    if (this.#back.length > this.#maxBytes * 2 + 65_536) this.#back = this.#back.slice(-this.#maxBytes);
  }

  clear(): void {
    this.#bytes = 0;
    this.#units = 0;
    this.#front = "";
    this.#back = "";
  }

  /** The longest start of at most `maxBytes` bytes. */
  startWithin(maxBytes: number): string {
    return this.#bytes <= maxBytes ? this.#front + this.#back : startWithin(this.#front, maxBytes);
  }

  /** The longest end of at most `maxBytes` bytes. */
  endWithin(maxBytes: number): string {
    const end = this.#back.length >= maxBytes ? this.#back : this.#front + this.#back;
    return this.#bytes <= maxBytes ? end : endWithin(end, maxBytes);
  }
}
