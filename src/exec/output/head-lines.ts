import { eachLine } from "./line-sizes.js";
import type { Caps } from "./limits.js";
import type { OpenLine } from "./open-line.js";
import type { CutBy } from "./shown-text.js";
import type { ShownEnd } from "./tail-lines.js";
import { startWithin } from "./text-cut.js";

/**
 * The first lines of a text: as many whole ones as the caps allow, or the start of the first one where it alone exceeds them.
 * The open line is not among them.
 */
export class HeadLines {
  readonly #caps: Caps;
  #text = "";
  #lines = 0;
  #bytes = 0;
  #cutBy: CutBy = null;
  #partialLineBytes: number | undefined;

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  /** Whether nothing that follows can be shown. */
  get isFull(): boolean {
    return this.#cutBy !== null;
  }

  /** Takes whole lines. */
  append(lines: string): void {
    if (this.isFull) return;
    let kept = 0;
    eachLine(lines, (end, bytes) => {
      this.#cutBy = this.#excess(bytes);
      if (this.#cutBy === null) {
        this.#count(bytes);
        kept = end;
      } else if (this.#lines === 0) {
        this.#text = startWithin(lines, this.#caps.maxBytes);
        this.#partialLineBytes = bytes;
      }
      return this.#cutBy === null;
    });
    this.#text += lines.slice(0, kept);
  }

  /** Takes the open line with its newline. */
  appendLine(line: OpenLine): void {
    if (line.bytes < this.#caps.maxBytes) return this.append(`${line.startWithin(this.#caps.maxBytes)}\n`);
    if (this.isFull) return;
    this.#cutBy = this.#excess(line.bytes + 1);
    if (this.#lines > 0) return;
    this.#text = line.startWithin(this.#caps.maxBytes);
    this.#partialLineBytes = line.bytes + 1;
  }

  /** What is shown, with the open line as the last one where it fits. */
  show(open: OpenLine): ShownEnd {
    const shown = { cutBy: this.#cutBy, partialLineBytes: this.#partialLineBytes };
    if (this.isFull || open.bytes === 0) return { block: { text: this.#text, from: 0 }, ...shown };
    const cutBy = this.#excess(open.bytes);
    const isPart = cutBy !== null && this.#lines === 0;
    const line = cutBy === null || isPart ? open.startWithin(this.#caps.maxBytes) : "";
    const partialLineBytes = isPart ? open.bytes : undefined;
    return { block: { text: this.#text + line, from: 0 }, cutBy, partialLineBytes };
  }

  /** The cap that one more line of so many bytes would exceed. */
  #excess(bytes: number): CutBy {
    if (this.#bytes + bytes > this.#caps.maxBytes) return "bytes";
    return this.#lines + 1 > this.#caps.maxLines ? "lines" : null;
  }

  #count(bytes: number): void {
    this.#lines += 1;
    this.#bytes += bytes;
  }
}
