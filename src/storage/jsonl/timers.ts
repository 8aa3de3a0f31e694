/** Time as storage needs it; tests hand in one that they move. */
export interface Timers {
  /** Calls back once after `delayMs`; the handle cancels. The timer does not keep the process alive. */
  after(delayMs: number, callback: () => void): { cancel(): void };
}

export const systemTimers: Timers = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
