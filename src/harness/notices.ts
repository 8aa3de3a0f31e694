import type { ProcessInfo } from "../exec/index.js";

/** Why an operation settled as interrupted. */
export const INTERRUPTED_REASON = "The process that ran the operation ended before the operation did.";

/** Why the calls of an answer are not begun. */
export const BROKEN_ANSWER_REASON = "The answer had broken off before the process that received it ended.";

/** What is known of a call that was running when its process ended. */
export interface Interruption {
  /** What its env said of an execution that it does not have any more. */
  readonly loss: string | undefined;
  /** A spill without bytes is one that is not there. */
  readonly spills: readonly { readonly path: string; readonly bytes?: number }[];
  readonly survivors: readonly ProcessInfo[];
}

export function describeInterruption({ loss, spills, survivors }: Interruption): string {
  return [
    "Interrupted: the process that ran this call ended before the call did, and nothing was run again.",
    ...(loss === undefined ? [] : [`Its command was lost (execution_lost): ${loss}.`]),
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
