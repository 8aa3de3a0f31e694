/** Time as the env sees it; tests hand in one that they move. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the handle cancels. The timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): { cancel(): void };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
