import { parseCount } from "./size.js";

/** Room for one character. */
const MIN_WINDOW_BYTES = 4;
const MAX_WINDOW_BYTES = 204_800;
const MAX_WINDOW_LINES = 100_000;

/** @throws {RangeError} whose message says what is accepted. */
export function parseWindowBytes(text: string): number {
  return parseCount(text, { unit: "bytes", min: MIN_WINDOW_BYTES, max: MAX_WINDOW_BYTES });
}

/** @throws {RangeError} whose message says what is accepted. */
export function parseWindowLines(text: string): number {
  return parseCount(text, { unit: "lines", min: 1, max: MAX_WINDOW_LINES });
}
