import type { Retain } from "../../exec/index.js";
import type { OutputWindow } from "./window.js";

/** Text that was not printed yet, and how many lines before it went by unseen. */
export interface NewLines {
  readonly skipped: number;
  readonly text: string;
}

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
    const { text } = window;
    const end = window.settled ? text.length : text.lastIndexOf("\n") + 1;
    const grows = !window.truncated || this.#retain === "head";
    const found = grows ? this.#readGrowth(text, end) : this.#readSlide(window, end);
    this.#printedLines += found.skipped + countLines(found.text);
    this.#printedBytes += Buffer.byteLength(found.text);
    this.#printedUnits += found.text.length;
    return found;
  }

  #readGrowth(text: string, end: number): NewLines {
    return { skipped: 0, text: text.slice(Math.min(this.#printedUnits, end), end) };
  }

  #readSlide(window: OutputWindow, end: number): NewLines {
    const { text } = window;
    const endsOpen = window.progress !== undefined || (text !== "" && !text.endsWith("\n"));
    const lastLine = window.totalLines - (endsOpen && !window.settled ? 1 : 0);
    const wanted = lastLine - this.#printedLines;
    if (wanted <= 0 || end === 0) return { skipped: 0, text: "" };
    const { start, lines } = findLastLines(text, end, wanted);
    return { skipped: wanted - lines, text: text.slice(start, end) };
  }
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

/** Newlines of the text, plus one if it does not end with one. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return text === "" || text.endsWith("\n") ? lines : lines + 1;
}
