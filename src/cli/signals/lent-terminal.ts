import { listenForSuspension } from "./suspension.js";
import type { SuspensionSource } from "./suspension.js";

/** What draws on the terminal, and so has to give it back. */
export interface TerminalBorrower {
  suspend(): void;
  resume(): void;
  abandon(): void;
}

export interface TerminalLender extends SuspensionSource {
  once(event: "exit", listener: () => void): unknown;
  off(event: "exit" | "SIGTSTP" | "SIGCONT", listener: () => void): unknown;
}

/** Sees to it that the terminal is given back whenever the process stops or ends, until the function it gives is called. */
export function lendTerminal(process: TerminalLender, borrower: TerminalBorrower): () => void {
  const giveBack = (): void => borrower.abandon();
  process.once("exit", giveBack);
  const stopListening = listenForSuspension(process, borrower);
  return () => {
    process.off("exit", giveBack);
    stopListening();
  };
}
