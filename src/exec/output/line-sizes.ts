/** Sizes of lines with their newlines, in UTF-16 code units and UTF-8 bytes; first in, first out. */
export class LineSizes {
  #units: number[] = [];
  #bytes: number[] = [];
  #first = 0;

  get count(): number {
    return this.#units.length - this.#first;
  }

  push(units: number, bytes: number): void {
    this.#units.push(units);
    this.#bytes.push(bytes);
  }

  /** Drops the first line. */
  shift(): void {
    this.#first += 1;
    if (this.#first < 4_096 || this.#first * 2 < this.#units.length) return;
    this.#units = this.#units.slice(this.#first);
    this.#bytes = this.#bytes.slice(this.#first);
    this.#first = 0;
  }

  clear(): void {
    this.#units = [];
    this.#bytes = [];
    this.#first = 0;
  }

  /** Code units of the line at `index`, counted from the first that is left. */
  units(index: number): number {
    return this.#units[this.#first + index] ?? 0;
  }

  bytes(index: number): number {
    return this.#bytes[this.#first + index] ?? 0;
  }
}

/** Calls back with where each line of `text` ends, and its bytes, until `take` gives false. The text ends with a newline. */
export function eachLine(text: string, take: (end: number, bytes: number) => boolean): void {
  // Where every character is one byte, which is nearly always, lines need not be measured one by one.
  const isSingleByte = Buffer.byteLength(text) === text.length;
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from) + 1;
    const bytes = isSingleByte ? end - from : Buffer.byteLength(text.slice(from, end));
    if (!take(end, bytes)) return;
    from = end;
  }
}
