import { refuse } from "./error.js";
import type { Segment } from "./op.js";
import { isCount } from "./path.js";
import { textAt } from "./place.js";
import type { Place, Text } from "./place.js";
import { placeOf } from "./plain-place.js";
import { splitsCharacter } from "./surrogate.js";

/** The keys of `Parent` where any string may stand; every index, for an array of strings. */
export type TextKey<Parent> = Parent extends readonly (infer Element)[]
  ? string extends Element
    ? number
    : never
  : { [Key in keyof Parent]: string extends Parent[Key] ? Key : never }[keyof Parent] & Segment;

/**
 * States that the string at `key` grows by `text`. The value is that of `parent[key] += text`; on tracked state the cost
 * follows `text`, not the string. Throws `missing_target` or `wrong_target` where no string is.
 */
export function appendText<Parent extends object>(parent: Parent, key: TextKey<Parent>, text: string): void {
  const place = parentPlace(parent, key);
  findText(place, key, text);
  place.slide(key, 0, text);
}

/**
 * States that the string at `key` loses `drop` code units at its front and grows by `text`. The value is that of
 * `parent[key] = parent[key].slice(drop) + text`. Throws `out_of_range` beyond the string's end, and `split_character` where the
 * cut would leave half a surrogate pair.
 */
export function slideText<Parent extends object>(
  parent: Parent,
  key: TextKey<Parent>,
  drop: number,
  text: string,
): void {
  const place = parentPlace(parent, key);
  checkDrop(findText(place, key, text), key, drop);
  place.slide(key, drop, text);
}

function parentPlace(parent: object, key: Segment): Place {
  return placeOf(parent) ?? refuse("wrong_target", "an object or array", [key]);
}

/** The text at `key`, to which `added` is to come. */
function findText(place: Place, key: Segment, added: unknown): Text {
  const text = textAt(place, key, [key]);
  return typeof added === "string" ? text : refuse("not_text", "a string", [key]);
}

function checkDrop(text: Text, key: Segment, drop: number): void {
  if (!isCount(drop)) refuse("bad_count", "an integer from 0", [key]);
  if (drop > text.length) {
    refuse("out_of_range", `at most ${text.length} code units`, [key]);
  }
  if (splitsCharacter(text, drop)) {
    refuse("split_character", "a cut one earlier or later", [key]);
  }
}
