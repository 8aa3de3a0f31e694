/** Tells whoever waits that something changed. */
export class Changes {
  readonly #waiting = new Set<() => void>();

  tell(): void {
    for (const done of Array.from(this.#waiting)) done();
  }

  /** Resolves with the next change, or when the signal aborts. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      if (signal.aborted) return done();
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
