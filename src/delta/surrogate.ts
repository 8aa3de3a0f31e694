import type { Text } from "./place.js";

/** Whether a cut at `position` of a text would leave half a surrogate pair. Past the end there are no units, and so no halves. */
export function splitsCharacter(text: Text, position: number): boolean {
  return (
    position > 0 &&
    isWithin(text.charCodeAt(position - 1), 0xd800, 0xdbff) &&
    isWithin(text.charCodeAt(position), 0xdc00, 0xdfff)
  );
}

function isWithin(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}
