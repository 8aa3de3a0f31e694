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
  readonly session: Pick<WorkSession, "id" | "kill">;
  readonly display: TerminalBorrower;
  readonly output: TextOutput;
  /** Whether what runs goes on without this process, so that a terminal that is closed ends this process alone. */
  readonly isOutliving?: boolean;
}

const REASONS: Readonly<Record<InterruptSignal, string>> = {
  SIGINT: "stopped by Ctrl-C",
  SIGTERM: "spillway was told to end (SIGTERM)",
  SIGQUIT: "stopped by Ctrl-\\",
  SIGHUP: "the terminal was closed (SIGHUP)",
};

/** Stops the run when a signal asks for it or its output fails: first in good order, then at once. */
export function listenForStops(run: StoppableRun, context: CliContext): Stops {
  const { operation, session, display, output, isOutliving = false } = run;
  let cause: StopCause | undefined;
  const stop = (found: StopCause, reason: string): void => {
    cause ??= found;
    operation.abort(reason);
  };
  // As after a crash: what is there to resume is in the exec host and in the session's files.
  const hangUp = (): never => {
    display.abandon();
    context.stderr.write(`spillway: ${REASONS.SIGHUP}; what runs goes on: spillway resume ${session.id}\n`);
    return context.exit(exitCodeOfSignal("SIGHUP"));
  };
  output.onFailure((failure) => {
    // So a closed terminal may be found before its signal is.
    if (isOutliving && output.isTerminal && failure.code === "EIO") hangUp();
    const reason = failure.code === "EPIPE" ? "the reader of standard output has gone" : "standard output failed";
    stop({ kind: "output", failure }, reason);
  });
  const stopListening = [
    lendTerminal(context.signals, display),
    listenForInterrupts(context.signals, context.clock, {
      stop(signal) {
        if (isOutliving && signal === "SIGHUP") hangUp();
        stop({ kind: "signal", signal }, REASONS[signal]);
      },
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
