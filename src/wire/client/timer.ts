// Browsers and Node both have these; this layer is compiled with neither's types.
declare function setTimeout(callback: () => void, delayMs: number): unknown;
declare function clearTimeout(handle: unknown): void;

/** Calls back once after `delayMs`; the handle cancels. */
export type Timer = (delayMs: number, callback: () => void) => { cancel(): void };

export const systemTimer: Timer = (delayMs, callback) => {
  const handle = setTimeout(callback, delayMs);
  return { cancel: () => clearTimeout(handle) };
};
