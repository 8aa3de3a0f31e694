import { eachLine, LineSizes } from "./line-sizes.js";
import type { Caps } from "./limits.js";
import type { BlockChange, CutBy, Window } from "./window.js";

/** Keeps the longest end of the text that is whole lines within the caps; of a last line that alone exceeds them, its end. */
export class TailWindow implements Window {
  readonly #caps: Caps;
  #text = "";
  readonly #lines = new LineSizes();
  #bytes = 0;
  #isOpen = false;
  /** Bytes of the one line of which the front was cut. */
  #partialBytes: number | undefined;
  #cutBy: CutBy = null;
  /** Of the text that was last told: how much of it there was, and how much of its front is gone. */
  #told = 0;
  #gone = 0;
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
    eachLine(text, (line, size) => {
      if (this.#isOpen) {
        this.#lines.grow(size);
        if (this.#partialBytes !== undefined) this.#partialBytes += size.bytes;
      } else this.#lines.push(size);
      this.#bytes += size.bytes;
      this.#isOpen = !line.endsWith("\n");
    });
    this.#text += text;
    this.#dropFront(this.#excessLines());
    this.#cutLastLine();
  }

  dropOpenLine(): void {
    if (!this.#isOpen) return;
    const { units, bytes } = this.#lines.pop();
    this.#text = this.#text.slice(0, this.#text.length - units);
    this.#bytes -= bytes;
    this.#isOpen = false;
    this.#partialBytes = undefined;
    this.#isRewritten = true;
  }

  takeChange(): BlockChange {
    const change = this.#change();
    this.#told = this.#text.length;
    this.#gone = 0;
    this.#isRewritten = false;
    return change;
  }

  #change(): BlockChange {
    if (this.#isRewritten || (this.#gone > 0 && this.#gone >= this.#told)) return { kind: "replaced" };
    const text = this.#text.slice(this.#told - this.#gone);
    return this.#gone === 0 && text === "" ? { kind: "none" } : { kind: "moved", drop: this.#gone, text };
  }

  /** Takes whole lines out at the front until the caps hold or one is left; gives their code units. */
  #excessLines(): number {
    let units = 0;
    while (this.#lines.count > 1 && this.#isOver()) {
      this.#cutBy = this.#reason();
      const line = this.#lines.shift();
      units += line.units;
      this.#bytes -= line.bytes;
      this.#partialBytes = undefined;
    }
    return units;
  }

  /** Whether the first line has to go: a line that is only a part does when another follows. */
  #isOver(): boolean {
    const { maxBytes, maxLines } = this.#caps;
    return this.#partialBytes !== undefined || this.#bytes > maxBytes || this.#lines.count > maxLines;
  }

  #reason(): CutBy {
    const isOverBytes = this.#partialBytes !== undefined || this.#bytes > this.#caps.maxBytes;
    return isOverBytes ? "bytes" : "lines";
  }

  #cutLastLine(): void {
    if (this.#bytes <= this.#caps.maxBytes) return;
    const { bytes } = this.#lines.pop();
    this.#partialBytes ??= bytes;
    const kept = endWithin(this.#text, this.#caps.maxBytes);
    this.#dropFront(this.#text.length - kept.length);
    this.#bytes = Buffer.byteLength(kept);
    this.#lines.push({ units: kept.length, bytes: this.#bytes });
    this.#cutBy = "bytes";
  }

  #dropFront(units: number): void {
    if (units === 0) return;
    this.#text = this.#text.slice(units);
    this.#gone += units;
  }
}

/** The longest end of `text` of at most `maxBytes` bytes that begins with a whole character. */
function endWithin(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(-maxBytes));
  let start = Math.max(0, bytes.length - maxBytes);
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  const end = bytes.subarray(start).toString();
  // The slice may have begun inside a surrogate pair; its half became a mark that is not in the text.
  return text.endsWith(end) ? end : end.slice(1);
}
