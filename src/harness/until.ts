import type { Clock } from "../exec/index.js";

/** What the promise gives, or the signal's reason as soon as it aborts. What the promise gives after that is dropped. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

export interface Grace {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly graceMs: number;
  /** The error of a promise that had not settled when the grace was over. */
  readonly expired: () => Error;
}

/** What the promise gives; after an abort it is waited for only so long. */
export function withinGrace<T>(promise: Promise<T>, { signal, clock, graceMs, expired }: Grace): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: { cancel(): void } | undefined;
    const startGrace = (): void => {
      timer = clock.after(graceMs, () => reject(expired()));
    };
    if (signal.aborted) startGrace();
    else signal.addEventListener("abort", startGrace, { once: true });
    promise.then(resolve, reject).finally(() => {
      timer?.cancel();
      signal.removeEventListener("abort", startGrace);
    });
  });
}

/** What the work gives, or the signal's reason as soon as it aborts. It is not begun after an abort. */
export async function withinAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return untilAborted(work(), signal);
}

/** Waits, and keeps the process alive meanwhile; rejects with the signal's reason as soon as it aborts. */
export function waitFor(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    const end = (): void => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const timer = clock.after(delayMs, end, { keepAlive: true });
    signal.addEventListener("abort", stop, { once: true });
  });
}
