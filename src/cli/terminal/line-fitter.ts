import { fitLine, UNITS_PER_COLUMN } from "./fit.js";
import { printableLine } from "./printable.js";

/** Fits lines into a terminal. Most lines of a frame stood in the one before too, so those are remembered. */
export class LineFitter {
  #columns = 0;
  #last = new Map<string, string>();
  #current = new Map<string, string>();

  /** To be called before the lines of a frame. */
  begin(columns: number): void {
    this.#last = columns === this.#columns ? this.#current : new Map();
    this.#current = new Map();
    this.#columns = columns;
  }

  fit(line: string): string {
    // Of a longer line nothing beyond this can be shown, and one unit more tells that there is more of it.
    const start = line.slice(0, this.#columns * UNITS_PER_COLUMN + 1);
    const fitted = this.#last.get(start) ?? fitLine(printableLine(start), this.#columns);
    this.#current.set(start, fitted);
    return fitted;
  }
}
