import type { Segment } from "./op.js";
import type { Place } from "./place.js";

/** Whether a cut at `position` of the string at `key` would leave half a surrogate pair. */
export function splitsCharacter(place: Place, key: Segment, position: number): boolean {
  const length = place.textLength(key) ?? 0;
  if (position <= 0 || position >= length) return false;
  return isPair(place.textUnit(key, position - 1), place.textUnit(key, position));
}

/** Whether two neighbouring code units are one character. */
export function isPair(before: number, after: number): boolean {
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
