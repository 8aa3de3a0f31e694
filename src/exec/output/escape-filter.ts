/** Longest sequence that is swallowed. One that does not end within it is given up, and what follows is text. */
export const MAX_SEQUENCE_UNITS = 4_096;

/** Control characters other than `\t`, `\n` and `\r`. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const controlRuns = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]+/g;
/** ESC, DCS, SOS, CSI, OSC, PM, APC: what begins a sequence. */
const sequenceStart = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/;
/** BEL, ST, CAN, SUB, ESC and newline: what ends a string, or may. */
const stringEnd = /[\u0007\n\u0018\u001a\u001b\u009c]/;

/** Where in a sequence the text is; `text` is outside of any. */
type State = "text" | "escape" | "intermediate" | "csi" | "string";

/**
 * Removes the escape sequences and control characters of one pipe, split over any reads; keeps `\t`, `\n` and `\r`.
 * A newline is always text: it ends whatever sequence it stands in, so that garbage swallows one line at most.
 */
export class EscapeFilter {
  #state: State = "text";
  /** Code units of the sequence so far. */
  #units = 0;

  /** Whether no sequence is unfinished. */
  get isAtRest(): boolean {
    return this.#state === "text";
  }

  /** `isPlain` says that the text is known to have no control characters. */
  filter(text: string, isPlain = false): string {
    if (this.#state === "text" && (isPlain || !controls.test(text))) return text;
    let kept = "";
    for (let index = 0; index < text.length;) {
      if (this.#state !== "text") {
        index = this.#skipSequence(text, index);
        continue;
      }
      const start = find(sequenceStart, text, index);
      kept += text.slice(index, start).replace(controlRuns, "");
      if (start < text.length) this.#enter(text.charCodeAt(start));
      index = start + 1;
    }
    return kept;
  }

  /** Forgets an unfinished sequence. */
  reset(): void {
    this.#state = "text";
  }

  #enter(unit: number): void {
    this.#units = 1;
    if (unit === 0x1b) this.#state = "escape";
    else this.#state = unit === 0x9b ? "csi" : "string";
  }

  /** Gives the index of what has to be looked at next. */
  #skipSequence(text: string, from: number): number {
    if (this.#state === "string") return this.#skipString(text, from);
    const unit = text.charCodeAt(from);
    if (this.#units === MAX_SEQUENCE_UNITS) {
      this.#state = "text";
      return from;
    }
    this.#units += 1;
    if (this.#state === "escape") this.#state = stateAfterEscape(unit);
    else if (unit < 0x20 || unit > 0x3f || (this.#state === "intermediate" && unit > 0x2f)) this.#state = "text";
    else return from + 1;
    // What ends a sequence is part of it; anything else is looked at again, as text.
    return this.#state !== "text" || isFinal(unit) || unit === 0x18 || unit === 0x1a ? from + 1 : from;
  }

  #skipString(text: string, from: number): number {
    const room = MAX_SEQUENCE_UNITS - this.#units;
    const end = find(stringEnd, text, from);
    if (end - from > room) {
      this.#state = "text";
      return from + room;
    }
    this.#units += end - from;
    if (end === text.length) return end;
    this.#state = "text";
    const unit = text.charCodeAt(end);
    if (unit === 0x1b) this.#enter(unit);
    return unit === 0x0a ? end : end + 1;
  }
}

/** A sequence of two characters is over here, and its second one is part of it where {@link isFinal} holds. */
function stateAfterEscape(unit: number): State {
  if (unit === 0x1b) return "escape";
  if (unit === 0x5b) return "csi";
  if (unit === 0x50 || unit === 0x58 || (unit >= 0x5d && unit <= 0x5f)) return "string";
  return unit >= 0x20 && unit <= 0x2f ? "intermediate" : "text";
}

function isFinal(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x7e;
}

function find(pattern: RegExp, text: string, from: number): number {
  const index = text.slice(from).search(pattern);
  return index === -1 ? text.length : from + index;
}
