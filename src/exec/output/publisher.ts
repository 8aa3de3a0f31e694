import type { Clock } from "../clock.js";

/** The least time between two updates. */
export const MIN_UPDATE_INTERVAL_MS = 100;
/** What a stream of updates may carry on average. */
export const UPDATE_BYTES_PER_SECOND = 102_400;

/**
 * Decides when what has changed is told: at once after quiet, later as much as the last update was large, and the last change
 * always.
 */
export class Publisher {
  readonly #clock: Clock;
  /** Tells what changed and gives its encoded bytes; 0 where nothing had. */
  readonly #publish: () => number;
  #nextAt = -Infinity;
  #timer: { cancel(): void } | undefined;

  constructor(clock: Clock, publish: () => number) {
    this.#clock = clock;
    this.#publish = publish;
  }

  /** Something may have changed. */
  touch(): void {
    if (this.#timer !== undefined) return;
    const waitMs = this.#nextAt - this.#clock.monotonic();
    if (waitMs <= 0) this.flush();
    else this.#timer = this.#clock.after(waitMs, () => this.flush());
  }

  /** Tells what has changed, now. */
  flush(): void {
    this.stop();
    const bytes = this.#publish();
    if (bytes === 0) return;
    const waitMs = Math.max(MIN_UPDATE_INTERVAL_MS, (bytes * 1_000) / UPDATE_BYTES_PER_SECOND);
    this.#nextAt = this.#clock.monotonic() + waitMs;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
