import type { Clock } from "../../exec/index.js";

export const MIN_INTERVAL_MS = 100;
export const BYTES_PER_SECOND = 102_400;

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
    else this.#wait(waitMs);
  }

  /** Says that something is about to change, after the caller returned. */
  expect(): void {
    if (this.#timer === undefined) this.#wait(Math.max(MIN_INTERVAL_MS, this.#nextAt - this.#clock.monotonic()));
  }

  /** Flushes whatever the pace. */
  flush(): void {
    this.stop();
    const bytes = this.#flush();
    if (bytes === 0) return;
    this.#nextAt = this.#clock.monotonic() + Math.max(MIN_INTERVAL_MS, (bytes * 1_000) / BYTES_PER_SECOND);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #wait(waitMs: number): void {
    this.#timer = this.#clock.after(waitMs, () => {
      this.#timer = undefined;
      this.flush();
    });
  }
}
