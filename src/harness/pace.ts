import type { Clock } from "../exec/index.js";

const MIN_INTERVAL_MS = 100;
const BYTES_PER_SECOND = 102_400;

/** Spaces flushes by what they weigh: the first after quiet goes at once, one trailing timer brings the last. */
export class Pace {
  readonly #clock: Clock;
  readonly #flush: () => number;
  #nextAt = -Infinity;
  #timer: { cancel(): void } | undefined;

  /** `flush` gives the bytes that it sent. */
  constructor(clock: Clock, flush: () => number) {
    this.#clock = clock;
    this.#flush = flush;
  }

  /** Says that something changed. */
  mark(): void {
    if (this.#timer !== undefined) return;
    const waitMs = this.#nextAt - this.#clock.monotonic();
    if (waitMs <= 0) this.flush();
    else this.#timer = this.#clock.after(waitMs, () => this.flush());
  }

  /** Flushes whatever the pace. */
  flush(): void {
    this.stop();
    const bytes = this.#flush();
    this.#nextAt = this.#clock.monotonic() + Math.max(MIN_INTERVAL_MS, (bytes * 1_000) / BYTES_PER_SECOND);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
