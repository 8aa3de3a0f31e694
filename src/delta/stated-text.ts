import type { Segment } from "./op.js";
import type { Text, Undo } from "./place.js";
import { joinPieces, slidePieces, startText } from "./sliding-text.js";
import type { SlidingText } from "./sliding-text.js";

/** What was stated since the last flush: `drop` units of the old text are gone and `text` was added; `whole` when no old unit is left. */
export interface StatedEdit {
  readonly drop: number;
  readonly text: string;
  readonly whole: boolean;
}

/**
 * A string with stated edits: growing and sliding cost what is written, and the whole is joined only when it is read. It stands in
 * the raw state in place of the string.
 */
export class StatedText implements Text {
  /** Where it stands in its container, as last known. */
  key: Segment;
  /** Its position in its container's list of what may have changed, or -1. */
  listedAt = -1;
  #now: SlidingText;
  /** The text of the last flush, where edits were stated since. */
  #before: SlidingText | undefined;
  /** How many units of the text of the last flush still stand at the front. */
  #kept = 0;
  /** What was added since the last flush, as long as old units stand before it. */
  #added = "";

  constructor(text: string, key: Segment) {
    this.key = key;
    this.#now = startText(text);
  }

  get length(): number {
    return lengthOf(this.#now);
  }

  /** Whether edits were stated since the last flush that make a difference. */
  get changed(): boolean {
    return this.#before !== undefined && (this.#kept < lengthOf(this.#before) || this.#kept < this.length);
  }

  /** The edits since the last flush as one. */
  get stated(): StatedEdit {
    if (this.#before === undefined) return { drop: 0, text: "", whole: false };
    const drop = lengthOf(this.#before) - this.#kept;
    if (this.#kept > 0) return { drop, text: this.#added, whole: false };
    return { drop, text: this.toString(), whole: drop > 0 };
  }

  /** The text at the last flush. */
  get settledText(): string {
    return joinPieces(this.#before ?? this.#now);
  }

  /** Drops `drop` units, at most `length`, from the front, and adds `text`. */
  slide(drop: number, text: string): Undo {
    const [now, before, kept, added] = [this.#now, this.#before, this.#kept, this.#added];
    if (before === undefined) {
      this.#before = now;
      this.#kept = lengthOf(now);
    }
    this.#now = slidePieces(now, drop, text);
    this.#kept = Math.max(0, this.#kept - drop);
    if (this.#kept > 0) this.#added += text;
    return () => {
      this.#now = now;
      this.#before = before;
      this.#kept = kept;
      this.#added = added;
    };
  }

  charCodeAt(position: number): number {
    const { base, from, tail } = this.#now;
    const at = from + position;
    return at < base.length ? base.charCodeAt(at) : tail.charCodeAt(at - base.length);
  }

  toString(): string {
    return joinPieces(this.#now);
  }

  /** What is here now is what the last flush told. */
  settle(): void {
    this.#before = undefined;
    this.#added = "";
  }
}

function lengthOf({ base, from, tail }: SlidingText): number {
  return base.length - from + tail.length;
}
