import { endWithin, startWithin } from "./text-cut.js";

/** Pieces are joined up to this size: one for each small read would be too many, and joining a large one copies it. */
const JOINED_UNITS = 4_096;

/** A line that has no newline yet, however long: its exact bytes, and as much of both ends as a window can show. */
export class OpenLine {
  /** Neither end is asked for more bytes than this, and a byte is at most one code unit. */
  readonly #maxBytes: number;
  #bytes = 0;
  #units = 0;
  #front = "";
  /** What follows `#front`; once something was left out between them it holds at least `#maxBytes` bytes. */
  #back: string[] = [];
  #backUnits = 0;
  #isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** UTF-8 bytes of the whole line. */
  get bytes(): number {
    return this.#bytes;
  }

  /** UTF-16 code units of the whole line; of what was skipped one at least. */
  get units(): number {
    return this.#units;
  }

  append(text: string): void {
    this.#bytes += Buffer.byteLength(text);
    this.#units += text.length;
    const room = this.#backUnits === 0 && !this.#isCut ? this.#maxBytes - this.#front.length : 0;
    if (room > 0) this.#front += text.slice(0, room);
    if (text.length > room) this.#appendBack(text.slice(room));
  }

  /** Leaves out so many bytes, where the line has `maxBytes` already; so many at least follow before it is looked at. */
  skip(bytes: number): void {
    this.#bytes += bytes;
    this.#units += 1;
    this.#back = [];
    this.#backUnits = 0;
    this.#isCut = true;
  }

  clear(): void {
    this.#bytes = 0;
    this.#units = 0;
    this.#front = "";
    this.#back = [];
    this.#backUnits = 0;
    this.#isCut = false;
  }

  /** The longest start of at most `maxBytes` bytes. */
  startWithin(maxBytes: number): string {
    return this.#bytes <= maxBytes ? this.#front + this.#back.join("") : startWithin(this.#front, maxBytes);
  }

  /** The longest end of at most `maxBytes` bytes. */
  endWithin(maxBytes: number): string {
    const back = this.#back.join("");
    const end = this.#isCut || back.length >= maxBytes ? back : this.#front + back;
    return this.#bytes <= maxBytes ? end : endWithin(end, maxBytes);
  }

  #appendBack(text: string): void {
    const last = this.#back.length - 1;
    const joined = `${this.#back[last] ?? ""}${text}`;
    if (last >= 0 && joined.length <= JOINED_UNITS) this.#back[last] = joined;
    else this.#back.push(text);
    this.#backUnits += text.length;
    // Whole pieces go: a cut would copy what it keeps.
    for (let first = this.#back[0]?.length ?? 0; this.#backUnits - first >= this.#maxBytes;) {
      this.#back.shift();
      this.#backUnits -= first;
      this.#isCut = true;
      first = this.#back[0]?.length ?? 0;
    }
  }
}
