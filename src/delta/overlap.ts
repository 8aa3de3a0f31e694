import { findLongestOverlap } from "./longest-overlap.js";
import { isPair } from "./surrogate.js";

/** Shortest overlap that is worth a `t` and an `a` in place of the whole text. */
const MIN_OVERLAP = 32;
/** What must agree at a place before all of it is compared. */
const NEAR_UNITS = 1_024;
/** Comparisons of everything before the linear search takes over. */
const MAX_COMPARISONS = 16;
/** Places to look at before the linear search takes over: this many, and one per {@link UNITS_PER_PLACE}. */
const MIN_PLACES = 64;
const UNITS_PER_PLACE = 32;

/**
 * How many code units `before` must lose at its front so that `after` begins with what is left: the start of a moved window.
 * Undefined when less than {@link MIN_OVERLAP} units are shared, or only at cuts inside a surrogate pair.
 *
 * The head of `after` is looked for in `before`. Most windows agree at the first place, build logs at one of many. Text that is
 * made to agree almost everywhere exhausts the bounds, and a search that is linear for any text takes over.
 */
export function findSlide(before: string, after: string): number | undefined {
  const longest = Math.min(before.length, after.length);
  if (longest < MIN_OVERLAP) return undefined;
  const head = after.slice(0, MIN_OVERLAP);
  const maxPlaces = MIN_PLACES + Math.trunc(longest / UNITS_PER_PLACE);
  let comparisons = 0;
  let from = before.length - longest;
  for (let places = 0; places < maxPlaces && comparisons < MAX_COMPARISONS; places += 1) {
    const drop = before.indexOf(head, from);
    if (drop === -1) return undefined;
    if (agreesNear(before, after, drop)) {
      if (isOverlap(before, after, drop)) return drop;
      comparisons += 1;
    }
    from = drop + 1;
  }
  return findLongestOverlap(before, after, (units) => units >= MIN_OVERLAP && !splits(before, before.length - units));
}

/** Comparing slices is the one comparison of parts that engines run at memory speed. */
function agreesNear(before: string, after: string, drop: number): boolean {
  const units = Math.min(NEAR_UNITS, before.length - drop);
  return before.slice(drop, drop + units) === after.slice(0, units);
}

function isOverlap(before: string, after: string, drop: number): boolean {
  return after.slice(0, before.length - drop) === before.slice(drop) && !splits(before, drop);
}

function splits(text: string, position: number): boolean {
  return position > 0 && position < text.length && isPair(text.charCodeAt(position - 1), text.charCodeAt(position));
}
