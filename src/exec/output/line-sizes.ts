/** Size of one line with its newline: UTF-16 code units and UTF-8 bytes. */
export interface LineSize {
  readonly units: number;
  readonly bytes: number;
}

/** Sizes of the lines of a window, first in, first out. */
export class LineSizes {
  readonly #units: number[] = [];
  readonly #bytes: number[] = [];
  #first = 0;

  get count(): number {
    return this.#units.length - this.#first;
  }

  push({ units, bytes }: LineSize): void {
    this.#units.push(units);
    this.#bytes.push(bytes);
  }

  /** Adds to the last line. */
  grow({ units, bytes }: LineSize): void {
    const last = this.pop();
    this.push({ units: last.units + units, bytes: last.bytes + bytes });
  }

  pop(): LineSize {
    if (this.count === 0) return { units: 0, bytes: 0 };
    return { units: this.#units.pop() ?? 0, bytes: this.#bytes.pop() ?? 0 };
  }

  shift(): LineSize {
    const size = { units: this.#units[this.#first] ?? 0, bytes: this.#bytes[this.#first] ?? 0 };
    this.#first += 1;
    if (this.#first > 4_096 && this.#first * 2 > this.#units.length) {
      this.#units.splice(0, this.#first);
      this.#bytes.splice(0, this.#first);
      this.#first = 0;
    }
    return size;
  }
}

/** Calls back with each line of `text`; the last may have no newline. */
export function eachLine(text: string, take: (line: string, size: LineSize) => void): void {
  // Where every character is one byte, which is nearly always, lines need not be measured one by one.
  const isSingleByte = Buffer.byteLength(text) === text.length;
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(from, end);
    take(line, { units: line.length, bytes: isSingleByte ? line.length : Buffer.byteLength(line) });
    from = end;
  }
}
