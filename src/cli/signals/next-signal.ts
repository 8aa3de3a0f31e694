import type { CliContext } from "../context.js";
import { exitCodeOfSignal } from "../exit-codes.js";
import { listenForInterrupts } from "./interrupts.js";
import type { InterruptSignal } from "./interrupts.js";

/** Resolves with the first signal. A second one does not wait for what the first has begun. */
export function nextSignal({ signals, clock, exit }: CliContext): Promise<InterruptSignal> {
  return new Promise((resolve) => {
    listenForInterrupts(signals, clock, { stop: resolve, leave: (signal) => exit(exitCodeOfSignal(signal)) });
  });
}
