import type { Clock } from "../../exec/index.js";

export type InterruptSignal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGQUIT";

/** Where signals are announced: the process, or something like it. */
export interface SignalSource {
  on(signal: InterruptSignal, listener: (signal: InterruptSignal) => void): unknown;
  off(signal: InterruptSignal, listener: (signal: InterruptSignal) => void): unknown;
}

export interface InterruptHandlers {
  /** The first signal: stop what runs and settle. */
  readonly stop: (signal: InterruptSignal) => void;
  /** Every later one: leave at once. */
  readonly leave: (signal: InterruptSignal) => void;
}

const SIGNALS: readonly InterruptSignal[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/** A runner such as npm passes on the very Ctrl-C that the terminal has sent to this process already. */
const SAME_PRESS_MS = 200;

/** Listens until the function that it gives is called. */
export function listenForInterrupts(source: SignalSource, clock: Clock, handlers: InterruptHandlers): () => void {
  let first: { readonly signal: InterruptSignal; readonly at: number } | undefined;
  const listener = (signal: InterruptSignal): void => {
    const at = clock.monotonic();
    if (first === undefined) {
      first = { signal, at };
      handlers.stop(signal);
    } else if (signal !== first.signal || at - first.at > SAME_PRESS_MS) {
      handlers.leave(signal);
    }
  };
  for (const signal of SIGNALS) source.on(signal, listener);
  return () => SIGNALS.forEach((signal) => source.off(signal, listener));
}
