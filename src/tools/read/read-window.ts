import { isUtf8 } from "node:buffer";
import type { OutputLimits } from "../contract.js";
import { LineCutter } from "../files/file-lines.js";
import type { FileLine } from "../files/file-lines.js";
import { ShownLines } from "../files/shown-lines.js";
import { showControls } from "../files/visible-text.js";
import { startWithin } from "../output/start-within.js";

export interface ReadRange {
  /** The first line, from 1. */
  readonly offset: number;
  /** Most lines. */
  readonly limit: number;
}

/** A line that is too long for the window, which holds its start. */
export interface PartialLine {
  readonly number: number;
  readonly bytes: number;
  readonly shownBytes: number;
}

const LONGEST_CHARACTER_BYTES = 4;
const BYTE_ORDER_MARK = "\ufeff";

/** The lines of a file that are asked for, as many as the caps take; the others are only counted. */
export class ReadWindow {
  partialLine: PartialLine | undefined;
  hasByteOrderMark = false;
  hasControls = false;
  hasInvalidBytes = false;
  readonly ends = { lf: 0, crlf: 0, none: 0 };
  readonly #range: ReadRange;
  readonly #shown: ShownLines;
  readonly #cutter: LineCutter;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #isFull = false;

  constructor(range: ReadRange, limits: Pick<OutputLimits, "maxBytes" | "maxLines">) {
    this.#range = range;
    this.#shown = new ShownLines(limits);
    // One character more, so that the one at which a long line is cut is whole.
    this.#cutter = new LineCutter(limits.maxBytes + LONGEST_CHARACTER_BYTES);
  }

  /** Whether no further line is taken. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get text(): string {
    return this.#shown.text;
  }

  /** Lines that are shown, one in part included. */
  get lines(): number {
    return this.#shown.count;
  }

  /** Lines of the file as far as it was given. */
  get totalLines(): number {
    return this.#cutter.ended;
  }

  take(piece: Uint8Array): void {
    const cut = this.#isFull ? 0 : this.#cutter.cut(piece, (line) => this.#takeLine(line));
    this.#cutter.skim(piece.subarray(cut));
  }

  finish(): void {
    const last = this.#cutter.finish();
    if (last !== undefined && !this.#isFull) this.#takeLine(last);
  }

  #takeLine(line: FileLine): boolean {
    if (line.number < this.#range.offset) return true;
    const text = this.#show(line);
    const isHeld = line.start.length === line.bytes;
    if (!isHeld || !this.#shown.add(line.end === "none" ? text : `${text}\n`)) {
      this.#isFull = true;
      if (this.lines > 0) return false;
      // The newline is no part of what does not fit.
      const start = startWithin(text, this.#shown.roomBytes);
      this.partialLine = { number: line.number, bytes: line.bytes, shownBytes: Buffer.byteLength(start) };
      this.#shown.force(start);
    }
    this.ends[line.end] += 1;
    this.#isFull ||= this.lines === this.#range.limit;
    return !this.#isFull;
  }

  #show({ number, start, bytes }: FileLine): string {
    const decoded = this.#decoder.decode(start);
    const isMarked = number === 1 && decoded.startsWith(BYTE_ORDER_MARK);
    const text = showControls(isMarked ? decoded.slice(1) : decoded);
    this.hasByteOrderMark ||= isMarked;
    this.hasControls ||= text.length !== decoded.length - (isMarked ? 1 : 0) || !decoded.endsWith(text);
    this.hasInvalidBytes ||= start.length === bytes && !isUtf8(start);
    return text;
  }
}
