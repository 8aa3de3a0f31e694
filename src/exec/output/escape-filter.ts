/** Longest string sequence (OSC, DCS, …) that is swallowed; what never ends is given up as text after this. */
const MAX_SEQUENCE_UNITS = 4_096;

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const controlRun = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

type State = "ground" | "escape" | "intermediate" | "csi" | "string" | "stringEscape";

/** Removes escape sequences and control characters of one pipe, split over any reads. Keeps `\t`, `\n` and `\r`. */
export class EscapeFilter {
  #state: State = "ground";
  #units = 0;

  get isGround(): boolean {
    return this.#state === "ground";
  }

  filter(text: string): string {
    if (this.#state === "ground" && !controls.test(text)) return text;
    let kept = "";
    let index = 0;
    while (index < text.length) {
      if (this.#state === "ground") {
        controlRun.lastIndex = index;
        const at = controlRun.exec(text)?.index ?? text.length;
        kept += text.slice(index, at);
        index = at;
        if (index >= text.length) break;
        kept += this.#ground(text.charCodeAt(index));
        index += 1;
      } else {
        index += this.#within(text.charCodeAt(index)) ? 1 : 0;
      }
    }
    return kept;
  }

  #ground(unit: number): string {
    if (unit === 0x0d) return "\r";
    this.#units = 0;
    if (unit === 0x1b) this.#state = "escape";
    else if (unit === 0x9b) this.#state = "csi";
    else if (isStringStart(unit - 0x40)) this.#state = "string";
    return "";
  }

  /** Takes one unit of a sequence; false where the unit is not part of it and must be looked at again. */
  #within(unit: number): boolean {
    this.#units += 1;
    if (unit === 0x18 || unit === 0x1a || this.#units > MAX_SEQUENCE_UNITS) return this.#leave(true);
    switch (this.#state) {
      case "escape":
        return this.#afterEscape(unit);
      case "intermediate":
        if (unit >= 0x20 && unit <= 0x2f) return true;
        return this.#leave(unit >= 0x30 && unit <= 0x7e);
      case "csi":
        if (unit >= 0x20 && unit <= 0x3f) return true;
        return this.#leave(unit >= 0x40 && unit <= 0x7e);
      case "stringEscape":
        if (unit === 0x5c) return this.#leave(true);
        this.#state = "escape";
        return this.#afterEscape(unit);
      default:
        return this.#inString(unit);
    }
  }

  #afterEscape(unit: number): boolean {
    if (unit === 0x5b) this.#state = "csi";
    else if (isStringStart(unit)) this.#state = "string";
    else if (unit >= 0x20 && unit <= 0x2f) this.#state = "intermediate";
    else if (unit === 0x1b) this.#state = "escape";
    else return this.#leave(unit >= 0x30 && unit <= 0x7e);
    return true;
  }

  #inString(unit: number): boolean {
    if (unit === 0x07 || unit === 0x9c) return this.#leave(true);
    if (unit === 0x1b) this.#state = "stringEscape";
    return true;
  }

  #leave(taken: boolean): boolean {
    this.#state = "ground";
    return taken;
  }
}

/** DCS, SOS, OSC, PM, APC by the final byte of their two-byte form. */
function isStringStart(unit: number): boolean {
  return unit === 0x50 || unit === 0x58 || unit === 0x5d || unit === 0x5e || unit === 0x5f;
}
