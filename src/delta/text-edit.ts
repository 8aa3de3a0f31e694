import { DeltaError } from "./error.js";
import type { Segment } from "./op.js";
import { isCount } from "./path.js";
import type { Place } from "./place.js";
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
  const place = textPlace(parent, key);
  checkText(text, key);
  place.append(key, text);
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
  const place = textPlace(parent, key);
  checkText(text, key);
  checkDrop(place, key, drop);
  if (drop > 0) place.drop(key, drop);
  place.append(key, text);
}

function textPlace(parent: object, key: Segment): Place {
  const place = placeOf(parent);
  if (place === undefined)
    throw new DeltaError("wrong_target", "the parent of a text is an object or an array", { path: [key] });
  if (!place.holds(key))
    throw new DeltaError("missing_target", "no string is there yet; assign one first", { path: [key] });
  if (place.textLength(key) === undefined) {
    throw new DeltaError("wrong_target", "only a string can be appended to or cut", { path: [key] });
  }
  return place;
}

function checkText(text: unknown, key: Segment): void {
  if (typeof text !== "string")
    throw new DeltaError("not_text", "the text to append must be a string", { path: [key] });
}

function checkDrop(place: Place, key: Segment, drop: number): void {
  const length = place.textLength(key) ?? 0;
  if (!isCount(drop)) throw new DeltaError("bad_count", "drop is an integer of at least 0 code units", { path: [key] });
  if (drop > length) {
    throw new DeltaError("out_of_range", `drop is ${drop} code units, the string has ${length}`, { path: [key] });
  }
  if (splitsCharacter(place, key, drop)) {
    throw new DeltaError(
      "split_character",
      `a cut after ${drop} code units leaves half a surrogate pair; cut one earlier or later`,
      {
        path: [key],
      },
    );
  }
}
