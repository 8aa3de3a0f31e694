import type { ProcessInfo } from "../exec/index.js";

/** Why an operation settled as interrupted. */
export const INTERRUPTED_REASON = "The process that ran the operation ended before the operation did.";

/** What is said of a call that was running when its process ended. A spill without bytes is one that is not there. */
export function describeInterruption(
  spills: readonly { readonly path: string; readonly bytes?: number }[],
  survivors: readonly ProcessInfo[],
): string {
  return [
    "Interrupted: the process that ran this call ended before the call did, and nothing was run again.",
    "Its effects may exist, wholly or in part.",
    "Text and totals are those that were stored last.",
    ...spills.map(({ path, bytes }) =>
      bytes === undefined ? `There is no output file at ${path}.` : `The output file ${path} holds ${bytes} bytes now.`,
    ),
    ...survivors.map(({ pid, command }) => `Process ${pid} (${command}) could not be stopped and goes on.`),
  ].join(" ");
}

/** What is said of a call that had not begun when its process ended. */
export function describeNotRun(): string {
  return "The call was not run: the process that was to run it ended before. It had no effects.";
}
