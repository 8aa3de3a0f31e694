import { linesOf } from "./text-size.js";
import type { TextSize } from "./text-size.js";

/** Whichever is met first cuts. */
export interface Caps {
  readonly maxBytes: number;
  readonly maxLines: number;
}

export type Cap = "bytes" | "lines";

/** Where a text that exceeds its caps is cut. */
export interface Cut {
  /** A code unit between two characters. */
  readonly at: number;
  readonly by: Cap;
  /** Whether the cut lies within the one line that alone exceeds the byte cap. */
  readonly partial: boolean;
}

const NEWLINE = 0x0a;

export function fits(size: TextSize, caps: Caps): boolean {
  return size.bytes <= caps.maxBytes && linesOf(size) <= caps.maxLines;
}

/**
 * Where the longest suffix of whole lines within the caps begins; if the last line alone exceeds the byte cap, where that
 * line's longest tail begins.
 */
export function findTail(text: string, size: TextSize, caps: Caps): Cut {
  const at = skipLines(text, linesOf(size) - caps.maxLines);
  const excess = size.bytes - Buffer.byteLength(text.slice(0, at)) - caps.maxBytes;
  if (excess <= 0) return { at, by: "lines", partial: false };
  const start = skipBytes(text, at, excess);
  const line = nextLine(text, start);
  return line < text.length ? { at: line, by: "bytes", partial: false } : { at: start, by: "bytes", partial: true };
}

/**
 * Where the longest prefix of whole lines within the caps ends; if the first line alone exceeds the byte cap, where that
 * line's longest head ends.
 */
export function findHead(text: string, caps: Caps): Cut {
  const lines = skipLines(text, caps.maxLines);
  const bytes = takeBytes(text, caps.maxBytes);
  if (lines <= bytes) return { at: lines, by: "lines", partial: false };
  const line = lineStart(text, bytes);
  return line > 0 ? { at: line, by: "bytes", partial: false } : { at: bytes, by: "bytes", partial: bytes > 0 };
}

/** Where the line begins that is the first to begin at `at` or after it; the text's end if none does. */
export function nextLine(text: string, at: number): number {
  if (at === 0 || text.charCodeAt(at - 1) === NEWLINE) return at;
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Where the line begins that holds what lies before `end`, or begins there. */
export function lineStart(text: string, end: number): number {
  // A search that begins before the text begins at its first character instead.
  return end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
}

/** The last character boundary that has at most `bytes` before it. */
export function takeBytes(text: string, bytes: number): number {
  let at = 0;
  let left = bytes;
  while (at < text.length) {
    left -= characterBytes(text, at);
    if (left < 0) return at;
    at += characterUnits(text, at);
  }
  return at;
}

function skipLines(text: string, lines: number): number {
  let at = 0;
  for (let left = lines; left > 0; left -= 1) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** The first character boundary that has at least `bytes` between `from` and itself. */
function skipBytes(text: string, from: number, bytes: number): number {
  let at = from;
  let left = bytes;
  while (left > 0 && at < text.length) {
    left -= characterBytes(text, at);
    at += characterUnits(text, at);
  }
  return at;
}

function characterBytes(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return isHighSurrogate(unit) ? 4 : 3;
}

function characterUnits(text: string, at: number): number {
  return isHighSurrogate(text.charCodeAt(at)) ? 2 : 1;
}

// The text is well formed: a high surrogate is followed by its other half.
function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
