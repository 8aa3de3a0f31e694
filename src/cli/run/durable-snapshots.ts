import type { HarnessCounters } from "../../harness/index.js";
import { jsonBytes } from "./json-bytes.js";

/** Adds up what whole results would have cost at the moments at which the run stored the changes of one. */
export class DurableSnapshots {
  readonly #counters: HarnessCounters;
  #elements = 0;
  #bytes = 0;

  constructor(counters: HarnessCounters) {
    this.#counters = counters;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** To be called before the result changes, and at the end: what was stored since the last call was this result. */
  note(result: unknown): void {
    const stored = this.#counters.tools.durableElements - this.#elements;
    if (stored === 0 || result === undefined) return;
    this.#elements += stored;
    this.#bytes += stored * jsonBytes(result);
  }
}
