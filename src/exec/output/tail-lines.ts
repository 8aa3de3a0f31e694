import { eachLine, LineSizes } from "./line-sizes.js";
import type { Caps } from "./limits.js";
import type { OpenLine } from "./open-line.js";
import type { CutBy, ShownBlock } from "./shown-text.js";
import { endWithin } from "./text-cut.js";

/** One end of a text as a window shows it. */
export interface ShownEnd {
  readonly block: ShownBlock;
  readonly cutBy: CutBy;
  readonly partialLineBytes: number | undefined;
}

/**
 * The last lines of a text: as many whole ones as the caps allow, or the end of the last one where it alone exceeds them.
 * The open line is not among them, so that it can be taken back and what it had pushed out is there again.
 */
export class TailLines {
  readonly #caps: Caps;
  /** The lines, after `#gone` code units of lines that were dropped. */
  #text = "";
  #gone = 0;
  readonly #sizes = new LineSizes();
  #bytes = 0;
  #cutBy: CutBy = null;
  #end = 0;

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  get cutBy(): CutBy {
    return this.#cutBy;
  }

  /** Where in the whole text these lines end. */
  get end(): number {
    return this.#end;
  }

  /** Takes whole lines. */
  append(lines: string): void {
    let from = 0;
    eachLine(lines, (end, bytes) => {
      this.#push(end - from, bytes);
      from = end;
      return true;
    });
    this.#text += lines;
    this.#end += lines.length;
    this.#cutOnlyLine();
    this.#forgetGone();
  }

  /** Takes the open line with its newline. */
  appendLine(line: OpenLine): void {
    if (line.bytes < this.#caps.maxBytes) return this.append(`${line.endWithin(this.#caps.maxBytes)}\n`);
    const end = `${line.endWithin(this.#caps.maxBytes - 1)}\n`;
    this.skip(line.units + 1);
    this.#push(end.length, line.bytes + 1);
    this.#text = end;
    this.#cutBy = "bytes";
  }

  /** Drops all lines, and so many code units that were never seen here: what follows would have pushed them out. */
  skip(units: number): void {
    // What follows names the cap that it exceeds, unless so much of it is masked that it exceeds none any more.
    this.#cutBy ??= "bytes";
    this.#text = "";
    this.#gone = 0;
    this.#sizes.clear();
    this.#bytes = 0;
    this.#end += units;
  }

  /** What is shown within `caps`, which are at most the own ones, with the open line as the last one. */
  show(caps: Caps, open: OpenLine): ShownEnd {
    const hasOpen = open.bytes > 0;
    // The last line stays, however large.
    const droppable = this.#sizes.count - (hasOpen ? 0 : 1);
    let lines = this.#sizes.count + (hasOpen ? 1 : 0);
    let bytes = this.#bytes + open.bytes;
    let from = this.#gone;
    let cutBy = this.#cutBy;
    for (let index = 0; index < droppable && (bytes > caps.maxBytes || lines > caps.maxLines); index += 1) {
      cutBy = bytes > caps.maxBytes ? "bytes" : "lines";
      from += this.#sizes.units(index);
      bytes -= this.#sizes.bytes(index);
      lines -= 1;
    }
    const end = this.#end + open.units;
    const whole = this.#text.slice(from) + (hasOpen ? open.endWithin(caps.maxBytes) : "");
    if (bytes <= caps.maxBytes) {
      return { block: { text: whole, from: end - whole.length }, cutBy, partialLineBytes: undefined };
    }
    const text = endWithin(whole, caps.maxBytes);
    return { block: { text, from: end - text.length }, cutBy: "bytes", partialLineBytes: bytes };
  }

  #push(units: number, bytes: number): void {
    this.#sizes.push(units, bytes);
    this.#bytes += bytes;
    const { maxBytes, maxLines } = this.#caps;
    while (this.#sizes.count > 1 && (this.#bytes > maxBytes || this.#sizes.count > maxLines)) {
      this.#cutBy = this.#bytes > maxBytes ? "bytes" : "lines";
      this.#gone += this.#sizes.units(0);
      this.#bytes -= this.#sizes.bytes(0);
      this.#sizes.shift();
    }
  }

  #cutOnlyLine(): void {
    if (this.#bytes <= this.#caps.maxBytes) return;
    const text = endWithin(this.#text.slice(this.#gone), this.#caps.maxBytes);
    const bytes = this.#bytes;
    this.skip(0);
    this.#push(text.length, bytes);
    this.#text = text;
    this.#cutBy = "bytes";
  }

  /** Seldom: what is kept is copied. */
  #forgetGone(): void {
    if (this.#gone < 65_536 || this.#gone * 2 < this.#text.length) return;
    this.#text = this.#text.slice(this.#gone);
    this.#gone = 0;
  }
}
