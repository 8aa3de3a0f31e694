import { createKeptText } from "../../exec/index.js";
import type { KeptText, Retain, ShellOutputBlock } from "../../exec/index.js";
import type { OutputLimits } from "../contract.js";
import { ToolError } from "../errors.js";
import type { TextBlocks } from "./text-blocks.js";
import { dropSize, EMPTY_SIZE, isOpen, joinSizes, linesOf, measureText } from "./text-size.js";
import type { TextSize } from "./text-size.js";

/** What made a window leave something out. */
export interface WindowCut {
  /** The cap that cut last. */
  readonly by: "bytes" | "lines" | null;
  /** Size of a line of which only a part is shown. */
  readonly partialLineBytes?: number | undefined;
}

/**
 * The text of a call, never more than its caps, whatever is written. An env's text comes bounded: it is only measured, and
 * its edits are stated as they come. Any other text goes through the same window that envs have, and so does an env's
 * from when it does not fit after all, until it is stated anew.
 */
export class OutputWindow {
  /** Which end stays when the text exceeds the caps. */
  retain: Retain;
  readonly #blocks: TextBlocks;
  readonly #limits: OutputLimits;
  /** What bounds the text; absent while an env does. */
  #kept: KeptText | undefined;
  /** Sizes of the blocks while an env bounds them. */
  #sizes: TextSize[] = [];
  /** Code units of the text as the tool knows it: what is shown, and what was left out. */
  #units = 0;
  #cutBy: WindowCut["by"] = null;
  /** Whether an earlier window had cut off the end, so that nothing may follow. */
  #isClosed = false;

  constructor(blocks: TextBlocks, limits: OutputLimits) {
    this.#blocks = blocks;
    this.#limits = limits;
    this.retain = limits.retain;
    this.#kept = createKeptText(limits);
  }

  get cut(): WindowCut {
    return { by: this.#kept?.cutBy ?? this.#cutBy, partialLineBytes: this.#kept?.partialLineBytes };
  }

  /** Whether the text ends within a line. */
  get isOpen(): boolean {
    return isOpen(this.#blocks.all().at(-1) ?? "");
  }

  /** Whether the front can be dropped: not while a cut keeps what comes behind the text out of it. */
  get canDrop(): boolean {
    return this.retain === "tail" || this.#kept?.cutBy === null;
  }

  read(block: ShellOutputBlock): string {
    return this.#blocks.read(block);
  }

  /** The sizes of the blocks. */
  measure(): TextSize[] {
    return this.#blocks.all().map(measureText);
  }

  /** An env bounds what follows. Text that was cut before goes on to be bounded here. */
  followEnv(): void {
    if (this.#kept === undefined || this.#kept.cutBy !== null) return;
    this.#sizes = this.measure();
    this.#kept = undefined;
  }

  /**
   * Drops from the front and appends; `block` is an env's. Throws `invalid_argument` for a drop beyond the text or into a
   * character, and then changed nothing.
   */
  slide(drop: number, text: string, block?: ShellOutputBlock): void {
    if (!Number.isSafeInteger(drop) || drop < 0) {
      throw new ToolError("invalid_argument", `slide drops a number of code units, not ${drop}.`);
    }
    if (this.#isClosed) return;
    if (this.#kept === undefined) this.#edit(block ?? (this.#blocks.hasTail ? 1 : 0), drop, text);
    else this.#append(this.#dropFront(this.#kept, drop), text);
  }

  /** States the tool's own text anew. */
  replace(text: string): void {
    this.#isClosed = false;
    this.#cutBy = null;
    this.#bound(text);
  }

  /** States an env's text anew; `tail` where the env kept both ends and left out what lies between. */
  replaceBounded(text: string, tail?: string): void {
    const sizes = [text, ...(tail === undefined ? [] : [tail])].map(measureText);
    if (!fit(sizes, this.#limits)) return this.replace(text + (tail ?? ""));
    this.#isClosed = false;
    this.#cutBy = null;
    this.#kept = undefined;
    this.#sizes = sizes;
    this.#units = text.length;
    this.#blocks.state(text, tail);
  }

  /** Goes on with the blocks that an earlier window left. */
  resume(cutBy: WindowCut["by"]): void {
    if (this.#blocks.hasTail) this.replaceBounded(this.#blocks.read(0), this.#blocks.read(1));
    else this.replace(this.#blocks.read(0));
    this.#isClosed = cutBy !== null && this.retain === "head";
    this.#cutBy ??= cutBy;
  }

  /** An env's edit: measured, stated, and bounded here only if the whole does not fit after all. */
  #edit(block: ShellOutputBlock, drop: number, text: string): void {
    const dropped = drop === 0 ? "" : takeFront(this.#blocks.read(block), drop);
    const kept = dropSize(this.#sizes[block] ?? EMPTY_SIZE, measureText(dropped));
    this.#sizes[block] = joinSizes(kept, measureText(text));
    this.#blocks.slide(block, drop, text);
    if (!fit(this.#sizes, this.#limits)) this.#bound(this.#blocks.all().join(""));
  }

  #bound(text: string): void {
    const kept = this.#keepAnew(text);
    this.#blocks.state(kept.text, kept.tail);
  }

  #append(kept: KeptText, text: string): void {
    kept.append(text);
    this.#units += text.length;
    const changes = kept.takeChanges();
    if (changes === "replaced") return this.#blocks.state(kept.text, kept.tail);
    for (const { block, change } of changes) {
      if (change.kind === "moved") this.#blocks.slide(block, change.drop, change.text);
    }
  }

  /** What bounds the text once its front is dropped. What a cut left out behind the front cannot be had back. */
  #dropFront(kept: KeptText, drop: number): KeptText {
    if (drop === 0 || !this.canDrop) return kept;
    if (drop > this.#units) throw new ToolError("invalid_argument", describeExcess(drop, this.#units));
    const shown = this.#blocks.read(0);
    const hidden = this.#units - shown.length;
    if (drop <= hidden) {
      this.#units -= drop;
      return kept;
    }
    const front = takeFront(shown, drop - hidden);
    this.#cutBy = kept.cutBy ?? this.#cutBy;
    this.#blocks.slide(0, front.length, "");
    return this.#keepAnew(shown.slice(front.length));
  }

  #keepAnew(text: string): KeptText {
    const kept = createKeptText({ ...this.#limits, retain: this.retain });
    kept.append(text);
    kept.takeChanges();
    this.#kept = kept;
    this.#units = text.length;
    return kept;
  }
}

function fit(sizes: readonly TextSize[], { maxBytes, maxLines }: OutputLimits): boolean {
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  return bytes <= maxBytes && sizes.reduce((sum, size) => sum + linesOf(size), 0) <= maxLines;
}

function takeFront(text: string, units: number): string {
  if (units > text.length) throw new ToolError("invalid_argument", describeExcess(units, text.length));
  if (/^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(units - 1, units + 1))) {
    throw new ToolError("invalid_argument", `slide cannot drop ${units} code units: the cut would split a character.`);
  }
  return text.slice(0, units);
}

function describeExcess(drop: number, units: number): string {
  return `slide cannot drop ${drop} code units: the text has ${units}.`;
}
