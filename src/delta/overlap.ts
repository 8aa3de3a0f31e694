import { findLongestOverlap } from "./longest-overlap.js";
import { splitsCharacter } from "./surrogate.js";

/** Shortest overlap that is worth a `t` and an `a` in place of the whole text. */
const MIN_OVERLAP = 32;
/** Places that are compared before the linear search takes over. */
const MAX_PLACES = 512;

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
  let from = before.length - longest;
  for (let places = 0; places < MAX_PLACES; places += 1) {
    const drop = before.indexOf(head, from);
    if (drop === -1) return undefined;
    if (isOverlap(before, after, drop)) return drop;
    from = drop + 1;
  }
  return findLongestOverlap(
    before,
    after,
    (units) => units >= MIN_OVERLAP && !splitsCharacter(before, before.length - units),
  );
}

/** Comparing slices is the one comparison of parts that engines run at memory speed, and it ends where they differ. */
function isOverlap(before: string, after: string, drop: number): boolean {
  return after.slice(0, before.length - drop) === before.slice(drop) && !splitsCharacter(before, drop);
}
