import { HeadLines } from "./head-lines.js";
import type { TextSink } from "./line-merger.js";
import { splitCaps } from "./limits.js";
import type { Caps } from "./limits.js";
import { OpenLine } from "./open-line.js";
import { changesBetween } from "./shown-text.js";
import type { CutBy, ShownText, TextChanges } from "./shown-text.js";
import { TailLines } from "./tail-lines.js";

/**
 * The bounded text that is kept of a stream of text. What it shows follows from all that was appended and not from how it
 * was cut into pieces; an open line that is dropped leaves no trace.
 */
export interface KeptText extends TextSink {
  readonly text: string;
  /** The end, where both ends are kept and the middle was left out. */
  readonly tail: string | undefined;
  /** The cap that cut last; `null` while nothing is left out. */
  readonly cutBy: CutBy;
  readonly partialLineBytes: number | undefined;
  /** The changes since the last call, or since there was no text. */
  takeChanges(): TextChanges;
}

export function createKeptText(caps: Caps): KeptText {
  return new BoundedText(caps);
}

const NOTHING: ShownText = { blocks: [{ text: "", from: 0 }], cutBy: null, partialLineBytes: undefined };

/** The same, which also lets text be left out that nobody would see. */
export class BoundedText implements KeptText {
  readonly #caps: Caps;
  readonly #tailCaps: Caps;
  readonly #open: OpenLine;
  readonly #tail: TailLines;
  readonly #head: HeadLines;
  #shown: ShownText | undefined;
  #told = NOTHING;
  /** What was told of the text is still true up to here. */
  #unchangedTo = Infinity;

  constructor(caps: Caps) {
    const ends = splitCaps(caps);
    this.#caps = caps;
    this.#tailCaps = ends.tail;
    this.#open = new OpenLine(caps.maxBytes);
    this.#tail = new TailLines(caps);
    this.#head = new HeadLines(caps.retain === "both" ? ends.head : caps);
  }

  get text(): string {
    return this.#show().blocks[0].text;
  }

  get tail(): string | undefined {
    return this.#show().blocks[1]?.text;
  }

  get cutBy(): CutBy {
    return this.#show().cutBy;
  }

  get partialLineBytes(): number | undefined {
    return this.#show().partialLineBytes;
  }

  append(text: string): void {
    if (text === "") return;
    this.#shown = undefined;
    let from = 0;
    if (this.#open.units > 0) {
      const end = text.indexOf("\n") + 1;
      this.#open.append(end === 0 ? text : text.slice(0, end - 1));
      if (end === 0) return;
      this.#endLine();
      from = end;
    }
    const end = text.lastIndexOf("\n") + 1;
    if (end > from) this.#takeLines(text.slice(from, end));
    this.#open.append(text.slice(end));
  }

  dropOpenLine(): void {
    if (this.#open.units === 0) return;
    this.#shown = undefined;
    this.#unchangedTo = Math.min(this.#unchangedTo, this.#tail.end);
    this.#open.clear();
  }

  takeChanges(): TextChanges {
    const shown = this.#show();
    const changes = changesBetween(this.#told, shown, this.#unchangedTo);
    this.#told = shown;
    this.#unchangedTo = Infinity;
    return changes;
  }

  /**
   * Whether whole lines of so many bytes, so many of them, leave nothing of what came before them in the text: then it
   * need not be appended.
   */
  isFilledBy(lines: number, bytes: number): boolean {
    const { retain, maxBytes, maxLines } = this.#caps;
    if (retain !== "tail" && !this.#head.isFull) return false;
    return retain === "head" || bytes > maxBytes || lines > maxLines;
  }

  /** Text was left out here, up to the end of a line; lines that {@link isFilledBy} says to fill the window follow. */
  skipLines(): void {
    this.#shown = undefined;
    this.#tail.skip(this.#open.units + 1);
    this.#open.clear();
  }

  /** Whether the line that has no newline yet fills the window, so that {@link skipWithinLine} is possible. */
  get isFilledByOpenLine(): boolean {
    return this.#open.bytes >= this.#caps.maxBytes;
  }

  /** So many bytes of the open line were left out here; as many as the window has at least follow before it is looked at. */
  skipWithinLine(bytes: number): void {
    this.#shown = undefined;
    this.#open.skip(bytes);
  }

  #takeLines(lines: string): void {
    if (this.#caps.retain !== "tail") this.#head.append(lines);
    if (this.#caps.retain === "head") this.#tail.skip(lines.length);
    else this.#tail.append(lines);
  }

  #endLine(): void {
    if (this.#caps.retain !== "tail") this.#head.appendLine(this.#open);
    if (this.#caps.retain === "head") this.#tail.skip(this.#open.units + 1);
    else this.#tail.appendLine(this.#open);
    this.#open.clear();
  }

  #show(): ShownText {
    this.#shown ??= this.#findShown();
    return this.#shown;
  }

  #findShown(): ShownText {
    if (this.#caps.retain === "head") return single(this.#head.show(this.#open));
    const all = this.#tail.show(this.#caps, this.#open);
    if (this.#caps.retain === "tail" || all.cutBy === null) return single(all);
    const head = this.#head.show(this.#open);
    const tail = this.#tail.show(this.#tailCaps, this.#open);
    return {
      blocks: [head.block, tail.block],
      cutBy: tail.cutBy,
      partialLineBytes: tail.partialLineBytes ?? head.partialLineBytes,
    };
  }
}

function single({ block, cutBy, partialLineBytes }: ReturnType<TailLines["show"]>): ShownText {
  return { blocks: [block], cutBy, partialLineBytes };
}
