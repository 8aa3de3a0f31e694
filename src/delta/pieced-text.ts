import type { Segment } from "./op.js";
import type { Undo } from "./place.js";

/** Blocks shorter than this take the next text in, so that a long text has few blocks. */
const BLOCK_UNITS = 2_048;
/** Dropped blocks that may wait in front of the live ones before they are let go. */
const MAX_DEAD_BLOCKS = 32;

/** What was stated since the last flush: `drop` units of the old text are gone and `text` was added; `whole` when no old unit is left. */
export interface StatedEdit {
  readonly drop: number;
  readonly text: string;
  readonly whole: boolean;
}

/**
 * A string as blocks: growing and sliding cost what is written, and the whole is joined only when it is read. It stands in
 * the raw state in place of the string.
 */
export class PiecedText {
  /** Where it stands in its container, as last known. */
  key: Segment;
  /** Whether its container lists it among its parts. */
  listed = false;
  #blocks: string[];
  /** The block that holds the first unit, and that unit's offset in it. */
  #first = 0;
  #offset = 0;
  #length: number;
  /** The units dropped since the last flush that belonged to the text of that flush, oldest first. */
  #gone: string[] = [];
  #goneUnits = 0;
  /** How many units of the text of the last flush still stand at the front. */
  #kept: number;

  constructor(text: string, key: Segment) {
    this.key = key;
    this.#blocks = [text];
    this.#length = text.length;
    this.#kept = text.length;
  }

  get length(): number {
    return this.#length;
  }

  /** Blocks held: those of the text, and few that were dropped. */
  get blockCount(): number {
    return this.#blocks.length;
  }

  /** Whether edits were stated since the last flush. */
  get edited(): boolean {
    return this.#goneUnits > 0 || this.#length !== this.#kept;
  }

  /** The edits since the last flush as one. */
  get stated(): StatedEdit {
    return { drop: this.#goneUnits, text: this.#readFrom(this.#kept), whole: this.#kept === 0 && this.#goneUnits > 0 };
  }

  /** The text at the last flush. */
  get settledText(): string {
    const front = this.toString().slice(0, this.#kept);
    return this.#goneUnits === 0 ? front : this.#gone.join("") + front;
  }

  append(text: string): Undo {
    const undo = this.#mark();
    const last = this.#blocks.length - 1;
    const block = this.#blocks[last] ?? "";
    if (block.length < BLOCK_UNITS) this.#blocks[last] = block + text;
    else this.#blocks.push(text);
    this.#length += text.length;
    return undo;
  }

  /** Drops `count` units, at most `length`, from the front. */
  drop(count: number): Undo {
    const undo = this.#mark();
    let left = count;
    while (left > 0) left -= this.#dropFromBlock(left);
    this.#letGoOfBlocks();
    return undo;
  }

  unitAt(position: number): number {
    let index = this.#first;
    let at = position + this.#offset;
    let block = this.#blocks[index] ?? "";
    while (at >= block.length && index < this.#blocks.length) {
      at -= block.length;
      index += 1;
      block = this.#blocks[index] ?? "";
    }
    return block.charCodeAt(at);
  }

  toString(): string {
    const text = this.#readFrom(0);
    this.#blocks = [text];
    this.#first = 0;
    this.#offset = 0;
    return text;
  }

  /** What is here now is what the last flush told. */
  settle(): void {
    if (this.#goneUnits > 0) this.#gone = [];
    this.#goneUnits = 0;
    this.#kept = this.#length;
    if (this.#first > 0) this.#blocks.splice(0, this.#first);
    this.#first = 0;
  }

  /** Drops at most `count` units from the first block and gives how many. */
  #dropFromBlock(count: number): number {
    const block = this.#blocks[this.#first] ?? "";
    const units = Math.min(count, block.length - this.#offset);
    const settled = Math.min(units, this.#kept);
    if (settled > 0) this.#gone.push(block.slice(this.#offset, this.#offset + settled));
    this.#goneUnits += settled;
    this.#kept -= settled;
    this.#length -= units;
    this.#offset += units;
    if (this.#offset === block.length && this.#first < this.#blocks.length - 1) {
      this.#first += 1;
      this.#offset = 0;
    }
    return units;
  }

  /** A new array, because an undo may still hold the old one. */
  #letGoOfBlocks(): void {
    if (this.#first <= MAX_DEAD_BLOCKS || this.#first * 2 < this.#blocks.length) return;
    this.#blocks = this.#blocks.slice(this.#first);
    this.#first = 0;
  }

  #readFrom(position: number): string {
    const parts: string[] = [];
    let missing = this.#length - position;
    for (let index = this.#blocks.length - 1; missing > 0; index -= 1) {
      const block = this.#blocks[index] ?? "";
      parts.push(block.length > missing ? block.slice(block.length - missing) : block);
      missing -= block.length;
    }
    return parts.length === 1 ? (parts[0] ?? "") : parts.reverse().join("");
  }

  #mark(): Undo {
    const blocks = this.#blocks;
    const count = blocks.length;
    const last = blocks[count - 1] ?? "";
    const [first, offset, length] = [this.#first, this.#offset, this.#length];
    const [gone, goneUnits, kept] = [this.#gone.length, this.#goneUnits, this.#kept];
    return () => {
      blocks.length = count;
      blocks[count - 1] = last;
      this.#blocks = blocks;
      [this.#first, this.#offset, this.#length] = [first, offset, length];
      this.#gone.length = gone;
      [this.#goneUnits, this.#kept] = [goneUnits, kept];
    };
  }
}
