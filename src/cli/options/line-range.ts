import type { LineRange } from "../cat/line-range.js";

/** `12`, `12-40`, `12-` or `-40`. @throws {RangeError} whose message says what is accepted. */
export function parseLineRange(text: string): LineRange {
  const [, from, dash, to] = /^(\d{1,15})?(-)?(\d{1,15})?$/.exec(text) ?? [];
  if (from === undefined && to === undefined) {
    throw new RangeError(`"${text}" is no range of lines; use 12, 12-40, 12- or -40`);
  }
  const first = from === undefined ? 1 : Number(from);
  const last = to === undefined ? (dash === undefined ? first : Infinity) : Number(to);
  if (first < 1) throw new RangeError(`"${text}" begins before the first line, which is 1`);
  if (last < first) throw new RangeError(`"${text}" ends before it begins; use the smaller number first`);
  return { first, last };
}
