/**
 * A string that grows at its end and shrinks at its front at the cost of what is written. Slicing a string that was put together
 * makes the engine join it first, all of it, each time. Here a slice is only ever taken of the text that came first, and what
 * came after is joined once when all of that is gone.
 */
export interface SlidingText {
  readonly base: string;
  /** Units of the base that are gone. */
  readonly from: number;
  readonly tail: string;
  /** All of it, once somebody wanted it. */
  whole: string | undefined;
}

/** A text in pieces. */
export function startText(base: string, from = 0, tail = ""): SlidingText {
  return { base, from, tail, whole: undefined };
}

/** The text without its first `drop` units, of which there are at least as many, and with `added` at its end. */
export function slidePieces(text: SlidingText, drop: number, added: string): SlidingText {
  const { base } = text;
  const from = text.from + drop;
  const tail = text.tail + added;
  const rest = base.length - from;
  if (rest <= 0) return startText(tail, -rest);
  // A slice keeps all of its base alive: once most of it is gone, what is left is copied.
  return rest < from ? startText(copyUnits(base.slice(from)), 0, tail) : startText(base, from, tail);
}

export function joinPieces(text: SlidingText): string {
  return (text.whole ??= text.base.slice(text.from) + text.tail);
}

/** The same text in memory of its own: joining makes the engine write it anew. */
function copyUnits(slice: string): string {
  return ` ${slice}`.slice(1);
}
