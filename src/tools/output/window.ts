import type { Retain, ShellOutputBlock } from "../../exec/index.js";
import type { OutputLimits } from "../contract.js";
import { ToolError } from "../errors.js";
import { fitWhole, tailCaps } from "./fit-whole.js";
import { findTail, fits, nextLine } from "./fit.js";
import type { Cap, Caps } from "./fit.js";
import { LineSizes } from "./line-sizes.js";
import type { TextBlocks } from "./text-blocks.js";
import { dropSize, EMPTY_SIZE, joinSizes, linesOf, measureText } from "./text-size.js";
import type { TextSize } from "./text-size.js";

/** What a window shows, and what made it leave something out. */
export interface WindowReport {
  /** Two where both ends are kept and the middle is not. */
  readonly blocks: readonly TextSize[];
  /** The cap that cut last. */
  readonly cutBy: Cap | null;
  /** Size of a line of which only a part is shown. */
  readonly partialLineBytes?: number;
}

/**
 * The text of a call, never more than its caps, whatever is written. What a tool believes its text to be is the blocks
 * and `hidden` code units that were left out: before the block (`tail`), after it (`head`), or between two.
 */
export class OutputWindow {
  /** Which end stays when the text exceeds the caps. */
  retain: Retain;
  readonly #blocks: TextBlocks;
  readonly #limits: OutputLimits;
  #sizes: TextSize[] = [EMPTY_SIZE];
  #lines = new LineSizes();
  #hidden = 0;
  #cutBy: Cap | null = null;
  #partial: "first" | "last" | undefined;

  constructor(blocks: TextBlocks, limits: OutputLimits) {
    this.#blocks = blocks;
    this.#limits = limits;
    this.retain = limits.retain;
  }

  get report(): WindowReport {
    const { first, last } = this.#lines;
    const partial = this.#partial === undefined ? {} : { partialLineBytes: this.#partial === "first" ? first : last };
    return { blocks: this.#sizes, cutBy: this.#cutBy, ...partial };
  }

  read(block: ShellOutputBlock): string {
    return this.#blocks.read(block);
  }

  /** Whether the text ends within a line. */
  get isOpen(): boolean {
    return this.#sizes.at(-1)?.open ?? false;
  }

  /**
   * Drops from the front and appends; of the one block where it is named, else of the whole. Throws `invalid_argument`
   * for a drop beyond the text or into a character, and then changed nothing.
   */
  slide(drop: number, text: string, block?: ShellOutputBlock): void {
    const share = this.#divide(drop, block);
    this.#lines.add(text);
    if (drop > 0 && block === undefined && drop === this.#units) this.#state(text);
    else if (this.#sizes.length === 1 && this.retain === "head") this.#slideHead(share, text);
    else if (this.#sizes.length === 2 && block === 0) this.#edit(0, share.front, text);
    else this.#slideBack(share, text);
  }

  /** States the text anew; `tail` is its end where an env kept both ends and left out what lies between. */
  replace(text: string, tail?: string): void {
    this.#cutBy = null;
    this.#lines = new LineSizes();
    this.#lines.add(text);
    this.#lines.add(tail ?? "");
    this.#state(text, tail);
  }

  /** Takes over the blocks of an earlier window; one that had cut off its end does not grow over the gap. */
  resume(cutBy: Cap | null): void {
    this.replace(this.#blocks.read(0), this.#blocks.hasTail ? this.#blocks.read(1) : undefined);
    this.#cutBy ??= cutBy;
    if (cutBy !== null && this.retain === "head") this.#hidden = Math.max(this.#hidden, 1);
  }

  #slideHead(share: DropShare, text: string): void {
    const isClosed = this.#hidden > 0;
    this.#edit(0, share.front, isClosed ? "" : text);
    if (isClosed) this.#hidden += text.length - share.hidden;
  }

  #slideBack(share: DropShare, text: string): void {
    if (share.front > 0) this.#edit(0, share.front, "");
    this.#hidden -= share.hidden;
    this.#edit(this.#backBlock, share.back, text);
  }

  #edit(block: ShellOutputBlock, drop: number, text: string): void {
    const dropped = drop === 0 ? EMPTY_SIZE : measureText(this.#blocks.read(block).slice(0, drop));
    const size = joinSizes(dropSize(this.#sizes[block] ?? EMPTY_SIZE, dropped), measureText(text));
    const caps = this.#capsOf(block);
    if (fits(size, caps) && !(this.#partial === "last" && block === this.#backBlock)) {
      this.#blocks.slide(block, drop, text);
      this.#sizes[block] = size;
    } else if (block === 1 || this.retain === "tail") {
      this.#editTail(block, { drop, text, size, caps });
    } else {
      this.#state(this.#blocks.read(0).slice(drop) + text, this.#blocks.hasTail ? this.#blocks.read(1) : undefined);
    }
  }

  /** One statement for what goes at the front, by the tool or by the caps, and what comes at the end. */
  #editTail(block: ShellOutputBlock, edit: { drop: number; text: string; size: TextSize; caps: Caps }): void {
    const old = this.#blocks.read(block);
    const whole = old.slice(edit.drop) + edit.text;
    const start = this.#partial === "last" ? endOfPartialLine(whole) : 0;
    const rest = dropSize(edit.size, measureText(whole.slice(0, start)));
    const cut = fits(rest, edit.caps) ? undefined : findTail(whole.slice(start), rest, edit.caps);
    const at = start + (cut?.at ?? 0);
    const drop = edit.drop + at;
    if (drop <= old.length) this.#blocks.slide(block, drop, edit.text);
    else this.#blocks.assign(block, whole.slice(at));
    this.#sizes[block] = dropSize(edit.size, measureText(whole.slice(0, at)));
    this.#hidden += at;
    this.#cutBy = cut?.by ?? this.#cutBy;
    if (cut?.partial === true) this.#partial = "last";
    else if (at > 0 && this.#partial === "last") this.#partial = undefined;
  }

  #state(text: string, tail?: string): void {
    const isBounded = tail !== undefined && fits(joinSizes(measureText(text), measureText(tail)), this.#limits);
    const fitted = isBounded
      ? { head: text, tail, hidden: 0, by: null }
      : fitWhole(text + (tail ?? ""), this.retain, this.#limits);
    this.#blocks.assign(0, fitted.head);
    if (fitted.tail === undefined) this.#blocks.removeTail();
    else this.#blocks.assign(1, fitted.tail);
    this.#sizes = [fitted.head, ...(fitted.tail === undefined ? [] : [fitted.tail])].map(measureText);
    this.#hidden = fitted.hidden;
    this.#cutBy = fitted.by ?? this.#cutBy;
    this.#partial = fitted.partial;
  }

  #capsOf(block: ShellOutputBlock): Caps {
    const [head = EMPTY_SIZE, tail] = this.#sizes;
    if (block === 1) return tailCaps(this.#limits, head.bytes, linesOf(head));
    if (tail === undefined) return this.#limits;
    return { maxBytes: this.#limits.maxBytes - tail.bytes, maxLines: this.#limits.maxLines - linesOf(tail) };
  }

  get #backBlock(): ShellOutputBlock {
    return this.#sizes.length === 2 ? 1 : 0;
  }

  get #units(): number {
    const tail = this.#sizes.length === 2 ? this.#blocks.read(1).length : 0;
    return this.#blocks.read(0).length + this.#hidden + tail;
  }

  /** What of a drop concerns what. Reads no text where nothing is dropped. */
  #divide(drop: number, block: ShellOutputBlock | undefined): DropShare {
    if (drop === 0) return { front: 0, hidden: 0, back: 0 };
    if (!Number.isSafeInteger(drop) || drop < 0) {
      throw new ToolError("invalid_argument", `slide drops a number of code units, not ${drop}.`);
    }
    const hasFront = block === undefined ? this.#sizes.length === 2 || this.retain === "head" : block < this.#backBlock;
    const front = hasFront ? Math.min(drop, this.#blocks.read(0).length) : 0;
    const hidden = Math.min(drop - front, this.#hidden);
    const back = drop - front - hidden;
    const behind = this.#sizes.length === 2 || !hasFront ? this.#blocks.read(this.#backBlock) : "";
    if (back > behind.length) {
      throw new ToolError("invalid_argument", `slide cannot drop ${drop} code units: the text has ${this.#units}.`);
    }
    if (splitsCharacter(behind, back) || (hasFront && splitsCharacter(this.#blocks.read(0), front))) {
      throw new ToolError("invalid_argument", `slide cannot drop ${drop} code units: the cut would split a character.`);
    }
    return { front, hidden, back };
  }
}

/** A drop, divided over what lies before the gap, in it, and behind it. */
interface DropShare {
  readonly front: number;
  readonly hidden: number;
  readonly back: number;
}

function splitsCharacter(text: string, at: number): boolean {
  return at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
}

/** Where the lines begin that follow a line shown in part, which is not shown beside whole ones; 0 if none follows. */
function endOfPartialLine(text: string): number {
  const start = text === "" ? 0 : nextLine(text, 1);
  return start < text.length ? start : 0;
}
