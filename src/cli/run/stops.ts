import type { Operation } from "../../harness/index.js";
import type { CliContext } from "../context.js";
import { exitCodeOfSignal } from "../exit-codes.js";
import type { WorkSession } from "../session/work-session.js";
import type { TextOutput } from "../terminal/text-output.js";
import { listenForInterrupts } from "../signals/interrupts.js";
import type { InterruptSignal } from "../signals/interrupts.js";
import { lendTerminal } from "../signals/lent-terminal.js";
import type { TerminalBorrower } from "../signals/lent-terminal.js";
import type { StopCause } from "./outcome.js";

export interface Stops {
  /** What stopped the run from outside, if anything did. */
  readonly cause: StopCause | undefined;
  release(): void;
}

export interface StoppableRun {
  readonly operation: Pick<Operation, "abort">;
  readonly session: Pick<WorkSession, "kill">;
  readonly display: TerminalBorrower;
  readonly output: TextOutput;
}

const REASONS: Readonly<Record<InterruptSignal, string>> = {
  SIGINT: "stopped by Ctrl-C",
  SIGTERM: "spillway was told to end (SIGTERM)",
  SIGQUIT: "stopped by Ctrl-\\",
  SIGHUP: "the terminal was closed (SIGHUP)",
};

/** Stops the run when a signal asks for it or its output fails: first in good order, then at once. */
export function listenForStops({ operation, session, display, output }: StoppableRun, context: CliContext): Stops {
  let cause: StopCause | undefined;
  const stop = (found: StopCause, reason: string): void => {
    cause ??= found;
    operation.abort(reason);
  };
  output.onFailure((failure) => {
    const reason = failure.code === "EPIPE" ? "the reader of standard output has gone" : "standard output failed";
    stop({ kind: "output", failure }, reason);
  });
  const stopListening = [
    lendTerminal(context.signals, display),
    listenForInterrupts(context.signals, context.clock, {
      stop: (signal) => stop({ kind: "signal", signal }, REASONS[signal]),
      leave: (signal) => {
        display.abandon();
        const leave = (): never => context.exit(exitCodeOfSignal(signal));
        session.kill().then(leave, leave);
      },
    }),
  ];
  return {
    get cause() {
      return cause;
    },
    release: () => stopListening.forEach((end) => end()),
  };
}
