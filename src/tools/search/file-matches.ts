import { count } from "../files/counts.js";
import { showControls } from "../files/visible-text.js";
import type { LinePattern } from "./line-pattern.js";

/** A line that a search shows. */
export interface FoundLine {
  /** From 1. */
  readonly number: number;
  /** The line, or the part of it around its match, as it is shown. */
  readonly text: string;
  /** A match, or a line around one. */
  readonly isMatch: boolean;
  readonly isShortened: boolean;
}

/** What a search found in one file. */
export interface FileMatches {
  /** Relative to the folder that is searched. */
  readonly path: string;
  /** In their order. A binary file has none. */
  readonly lines: readonly FoundLine[];
}

/** A search of the files below a folder, as it goes on, in the order of their paths. */
export interface LineSearch {
  readonly folder: string;
  /** The one file of the folder to search; absent where all are. */
  readonly file?: string | undefined;
  readonly pattern: LinePattern;
  /** Lines to give before and behind each match. */
  readonly context: number;
  /** Matches that are enough. */
  readonly maxMatches: number;
  /** Whether {@link accepts} leaves out any. */
  readonly isFiltered: boolean;
  /** Whether a file is searched, by its path. */
  readonly accepts: (path: string) => boolean;
  /** How the names of all that are accepted end, where that is known. */
  readonly nameEnd?: string | undefined;
}

/** Characters of a line that are shown, and how many of them may stand before the match. */
const MAX_SHOWN_UNITS = 500;
const UNITS_BEFORE_MATCH = 100;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A line's bytes, without its end, as text. */
export function decodeLine(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** `bytes` is the size of the whole line, of which `line` may be the start. */
export function makeFoundLine(
  pattern: LinePattern,
  { number, line, bytes, isMatch }: { number: number; line: string; bytes: number; isMatch: boolean },
): FoundLine {
  if (line.length <= MAX_SHOWN_UNITS) return { number, text: showControls(line), isMatch, isShortened: false };
  const match = isMatch ? pattern.find(line) : 0;
  const from = Math.max(0, Math.min(match - UNITS_BEFORE_MATCH, line.length - MAX_SHOWN_UNITS));
  const part = cutCharacters(line, from, from + MAX_SHOWN_UNITS);
  const before = from > 0 ? "…" : "";
  const after = from + MAX_SHOWN_UNITS < line.length ? "…" : "";
  return {
    number,
    text: `${before}${showControls(part)}${after} (${count(bytes, "byte")})`,
    isMatch,
    isShortened: true,
  };
}

/** A half of a pair at either end is left out. */
function cutCharacters(text: string, from: number, to: number): string {
  return text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
