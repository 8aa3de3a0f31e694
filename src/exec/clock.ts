/** Time as the env sees it; tests hand in one that they move. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the handle cancels. The timer keeps the process alive only where that is asked for. */
  after(delayMs: number, callback: () => void, options?: { readonly keepAlive: boolean }): { cancel(): void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback, options) {
    const timer = setTimeout(callback, delayMs);
    if (options?.keepAlive !== true) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
