import type { Retain } from "../../exec/index.js";
import { endLine } from "./end-line.js";
import type { OutputWindow } from "./window.js";

/** Text that was not printed yet, and how many lines before it went by unseen. */
export interface NewLines {
  /** With both ends kept: what of the start comes before the lines that went by unseen. */
  readonly start: string;
  readonly skipped: number;
  readonly text: string;
}

/** As much of the last line as is kept to know it again, in UTF-16 code units. */
const KEPT_LINE_LENGTH = 512;

/**
 * Gives every line of an output once, from successive views of its window. Views may be missed: what slid out of the
 * window meanwhile is counted. The cost of a step follows its new text, not the window.
 *
 * Lines are told apart by their number in the whole output, so it does not matter how the window came about.
 */
export class NewLineReader {
  readonly #retain: Retain;
  #printedLines = 0;
  #printedBytes = 0;
  /** Code units of the window that were printed; counts until the window drops text. */
  #printedUnits = 0;
  /** The end of the last line that was printed. */
  #lastPrinted = "";

  constructor(retain: Retain) {
    this.#retain = retain;
  }

  /** Lines given or skipped so far. */
  get lines(): number {
    return this.#printedLines;
  }

  /** UTF-8 bytes given so far. */
  get bytes(): number {
    return this.#printedBytes;
  }

  next(window: OutputWindow): NewLines {
    if (window.tail !== undefined) return this.#nextOfEnds(window, window.tail);
    const { text } = window;
    const end = window.settled ? text.length : text.lastIndexOf("\n") + 1;
    const grows = !window.truncated || this.#retain !== "tail";
    const found = grows ? this.#readGrowth(text, end) : this.#readSlide(window, end);
    this.#note(found.text, grows ? this.#printedLines + countLines(found.text) : lastLineOf(window));
    return found;
  }

  /** Of the start what was not printed while the window still grew, then the end, which slides. */
  #nextOfEnds(window: OutputWindow, tail: string): NewLines {
    const start = this.#readGrowth(window.text, window.text.length).text;
    // A start that is a part of one line leaves that line to the end.
    this.#note(start, window.text.split("\n").length - 1);
    const sliding = { ...window, text: tail };
    const found = this.#readSlide(sliding, window.settled ? tail.length : tail.lastIndexOf("\n") + 1);
    this.#note(found.text, lastLineOf(sliding));
    return { ...found, start: endLine(start) };
  }

  #note(printed: string, lines: number): void {
    this.#printedLines = Math.max(this.#printedLines, lines);
    this.#printedBytes += Buffer.byteLength(printed);
    this.#printedUnits += printed.length;
    if (printed !== "") this.#lastPrinted = lastLine(printed).slice(-KEPT_LINE_LENGTH);
  }

  #readGrowth(text: string, end: number): NewLines {
    return { start: "", skipped: 0, text: text.slice(Math.min(this.#printedUnits, end), end) };
  }

  #readSlide(window: OutputWindow, end: number): NewLines {
    const { text } = window;
    const wanted = lastLineOf(window) - this.#printedLines;
    if (wanted <= 0 || end === 0) return { start: "", skipped: 0, text: "" };
    const { start, lines } = findLastLines(text, end, wanted);
    const isNext = start === 0 || text.slice(0, start).endsWith(this.#lastPrinted);
    if (!isNext) return this.#readAfterPrinted(text, start, end);
    return { start: "", skipped: wanted - lines, text: text.slice(start, end) };
  }

  // The totals count raw newlines, of which some never were text, such as one inside an escape sequence. Then the numbers
  // promise more lines than there are, and what was printed last tells where the new ones begin.
  #readAfterPrinted(text: string, start: number, end: number): NewLines {
    const printed = text.lastIndexOf(this.#lastPrinted, end - this.#lastPrinted.length);
    return {
      start: "",
      skipped: 0,
      text: text.slice(printed < start ? start : printed + this.#lastPrinted.length, end),
    };
  }
}

/** The number of the last line that can be printed: the open one counts only when nothing can follow it. */
function lastLineOf({ text, progress, totalLines, settled }: OutputWindow): number {
  const endsOpen = progress !== undefined || (text !== "" && !text.endsWith("\n"));
  return endsOpen && !settled ? totalLines - 1 : totalLines;
}

/** Where the last `count` lines before `end` begin, and how many there are at all. */
export function findLastLines(
  text: string,
  end: number,
  count: number,
): { readonly start: number; readonly lines: number } {
  let start = end;
  let lines = 0;
  while (lines < count && start > 0) {
    // The newline that ends the line before: the one right before `start` belongs to the line that begins after it.
    start = start >= 2 ? text.lastIndexOf("\n", start - 2) + 1 : 0;
    lines += 1;
  }
  return { start, lines };
}

/** The last line with its newline, if it has one. */
function lastLine(text: string): string {
  return text.slice(findLastLines(text, text.length, 1).start);
}

/** Newlines of the text, plus one if it does not end with one. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}
