import { constants } from "node:os";

/** How a command ends, in the one number that a process can say. Every other number is the run command's own. */
export const EXIT_OK = 0;
/** What was asked for could not be done; of `resume`: what it settled had not been completed. */
export const EXIT_NOT_COMPLETED = 1;
/** Bad use of any command but `run`. */
export const EXIT_BAD_USE = 2;
/** `run` stopped the command because its time was up. */
export const EXIT_TIMEOUT = 124;
/** A failure of spillway's own in `run`, bad use included, as `env`, `timeout` and `docker run` have it. */
export const EXIT_OWN_FAILURE = 125;

/** As a shell says that a signal ended a program. */
export function exitCodeOfSignal(signal: string): number {
  const numbers: Readonly<Record<string, number>> = constants.signals;
  return 128 + (numbers[signal] ?? 0);
}
