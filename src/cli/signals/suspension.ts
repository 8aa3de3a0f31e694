/** What a process tells of being stopped by its terminal (Ctrl-Z) and continued. */
export interface SuspensionSource {
  readonly pid: number;
  on(signal: "SIGTSTP" | "SIGCONT", listener: () => void): unknown;
  off(signal: "SIGTSTP" | "SIGCONT", listener: () => void): unknown;
  kill(pid: number, signal: "SIGSTOP"): unknown;
}

/** Gives the terminal back before the process stops and takes it again when it goes on. */
export function listenForSuspension(
  source: SuspensionSource,
  display: { suspend(): void; resume(): void },
): () => void {
  const suspend = (): void => {
    display.suspend();
    // A listener replaces what the signal does by itself, so the stop is ours to make.
    source.kill(source.pid, "SIGSTOP");
  };
  const resume = (): void => display.resume();
  source.on("SIGTSTP", suspend);
  source.on("SIGCONT", resume);
  return () => {
    source.off("SIGTSTP", suspend);
    source.off("SIGCONT", resume);
  };
}
