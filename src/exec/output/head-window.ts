import { eachLine } from "./line-sizes.js";
import type { Caps } from "./limits.js";
import type { BlockChange, CutBy, Window } from "./window.js";

/** Keeps the longest start of the text that is whole lines within the caps; of a first line that alone exceeds them, its start. */
export class HeadWindow implements Window {
  readonly #caps: Caps;
  #text = "";
  #bytes = 0;
  #lines = 0;
  /** Code units and bytes that are kept of the line that has no newline yet. */
  #open: { units: number; bytes: number } | undefined;
  #isCounting = false;
  #partialBytes: number | undefined;
  #cutBy: CutBy = null;
  #told = 0;
  #isRewritten = false;

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  get text(): string {
    return this.#text;
  }

  get cutBy(): CutBy {
    return this.#cutBy;
  }

  get partialLineBytes(): number | undefined {
    return this.#partialBytes;
  }

  append(text: string): void {
    eachLine(text, (line, { bytes }) => {
      if (this.#cutBy === null) this.#take(line, bytes);
      else if (this.#isCounting && this.#partialBytes !== undefined) this.#partialBytes += bytes;
      if (line.endsWith("\n")) this.#endLine();
    });
  }

  dropOpenLine(): void {
    if (this.#open === undefined) return;
    this.#text = this.#text.slice(0, this.#text.length - this.#open.units);
    this.#bytes -= this.#open.bytes;
    this.#lines -= 1;
    this.#open = undefined;
    this.#isRewritten = true;
  }

  takeChange(): BlockChange {
    const text = this.#text.slice(this.#told);
    const isRewritten = this.#isRewritten;
    this.#told = this.#text.length;
    this.#isRewritten = false;
    if (isRewritten) return { kind: "replaced" };
    return text === "" ? { kind: "none" } : { kind: "moved", drop: 0, text };
  }

  #take(line: string, bytes: number): void {
    const isNew = this.#open === undefined;
    const lines = this.#lines + (isNew ? 1 : 0);
    if (this.#bytes + bytes <= this.#caps.maxBytes && lines <= this.#caps.maxLines) {
      this.#keep(line, bytes, lines);
      return;
    }
    this.#cutBy = lines > this.#caps.maxLines ? "lines" : "bytes";
    const open = this.#open;
    const isFirst = lines === 1;
    if (isFirst) {
      this.#partialBytes = (open?.bytes ?? 0) + bytes;
      this.#isCounting = true;
      const kept = startWithin(line, this.#caps.maxBytes - this.#bytes);
      this.#keep(kept, Buffer.byteLength(kept), lines);
    } else if (open !== undefined) this.dropOpenLine();
  }

  #keep(line: string, bytes: number, lines: number): void {
    this.#text += line;
    this.#bytes += bytes;
    this.#lines = lines;
    this.#open = { units: (this.#open?.units ?? 0) + line.length, bytes: (this.#open?.bytes ?? 0) + bytes };
  }

  #endLine(): void {
    this.#open = undefined;
    this.#isCounting = false;
  }
}

/** The longest start of `text` of at most `maxBytes` bytes that ends with a whole character. */
function startWithin(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = Math.min(bytes.length, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  const start = bytes.subarray(0, end).toString();
  return text.startsWith(start) ? start : start.slice(0, -1);
}
