import type { Text } from "./place.js";

/** Whether a cut at `position` of a text would leave half a surrogate pair. */
export function splitsCharacter(text: Text, position: number): boolean {
  if (position <= 0 || position >= text.length) return false;
  return isPair(text.charCodeAt(position - 1), text.charCodeAt(position));
}

/** Whether two neighbouring code units are one character. */
function isPair(before: number, after: number): boolean {
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
