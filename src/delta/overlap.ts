import { isPair } from "./surrogate.js";

/** Shortest overlap that is worth a `t` and an `a` in place of the whole text. */
const MIN_OVERLAP = 32;
/** Head of the new text that is looked for in the old one. */
const PROBE_UNITS = 256;
/** Finds of the probe that are compared before the linear search takes over. */
const MAX_CANDIDATES = 16;

/**
 * How many code units `before` must lose at its front so that `after` begins with what is left: the start of a moved window.
 * Undefined when too little is shared, or only at a cut inside a surrogate pair. Linear in the worst case.
 */
export function findSlide(before: string, after: string): number | undefined {
  const longest = Math.min(before.length, after.length);
  if (longest < MIN_OVERLAP) return undefined;
  const quick = probe(before, after);
  return quick === "unsure" ? search(before, after, longest) : quick;
}

/**
 * Looks for the head of `after` in `before`. Most windows are found at the first place; text that repeats itself offers
 * many, and then only the linear search is safe.
 */
function probe(before: string, after: string): number | "unsure" | undefined {
  const units = Math.min(PROBE_UNITS, before.length, after.length);
  const head = after.slice(0, units);
  let from = Math.max(0, before.length - after.length);
  for (let tries = 0; tries < MAX_CANDIDATES; tries += 1) {
    const drop = before.indexOf(head, from);
    if (drop === -1) return tries === 0 && units < MIN_OVERLAP ? undefined : "unsure";
    if (isOverlap(before, after, drop)) return drop;
    from = drop + 1;
  }
  return "unsure";
}

function isOverlap(before: string, after: string, drop: number): boolean {
  const kept = before.length - drop;
  return kept >= MIN_OVERLAP && !splits(before, drop) && after.slice(0, kept) === before.slice(drop);
}

/** The longest end of `before` that begins `after`, by the prefix function of `after` (Knuth, Morris, Pratt). */
function search(before: string, after: string, longest: number): number | undefined {
  const borders = prefixFunction(after, longest);
  let matched = 0;
  for (let index = before.length - longest; index < before.length; index += 1) {
    const unit = before.charCodeAt(index);
    if (matched === longest) matched = borderOf(borders, matched);
    while (matched > 0 && after.charCodeAt(matched) !== unit) matched = borderOf(borders, matched);
    if (after.charCodeAt(matched) === unit) matched += 1;
  }
  while (matched >= MIN_OVERLAP && splits(before, before.length - matched)) matched = borderOf(borders, matched);
  return matched >= MIN_OVERLAP ? before.length - matched : undefined;
}

function prefixFunction(text: string, length: number): Int32Array {
  const borders = new Int32Array(length);
  let matched = 0;
  for (let index = 1; index < length; index += 1) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && text.charCodeAt(matched) !== unit) matched = borderOf(borders, matched);
    if (text.charCodeAt(matched) === unit) matched += 1;
    borders[index] = matched;
  }
  return borders;
}

function borderOf(borders: Int32Array, matched: number): number {
  return borders[matched - 1] ?? 0;
}

function splits(text: string, position: number): boolean {
  return position > 0 && position < text.length && isPair(text.charCodeAt(position - 1), text.charCodeAt(position));
}
