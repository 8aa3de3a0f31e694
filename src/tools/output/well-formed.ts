const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The text with U+FFFD for every half of a surrogate pair that has no other half. */
export function makeWellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATES, "\uFFFD") : text;
}

/** Makes a text well formed that comes in pieces: a pair that is split between two pieces stays whole. */
export class PiecewiseText {
  #half = "";

  /** What can be written now; the first half of a pair at the end waits for the other. */
  next(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
    return makeWellFormed(this.#half === "" ? text : text.slice(0, -1));
  }

  /** What is left once nothing follows. */
  end(): string {
    const text = makeWellFormed(this.#half);
    this.#half = "";
    return text;
  }
}
