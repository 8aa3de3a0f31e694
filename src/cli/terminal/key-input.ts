/** What keys are read from, and the process whose terminal it is. */
export interface KeySource {
  readonly pid: number;
  kill(pid: number, signal: NodeJS.Signals): unknown;
  readonly stdin: KeyStream;
}

export interface KeyStream {
  readonly isTTY?: boolean;
  setRawMode(isRaw: boolean): unknown;
  setEncoding(encoding: "utf8"): unknown;
  on(event: "data", listener: (text: string) => void): unknown;
  off(event: "data", listener: (text: string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

const SIGNALS = new Map<string, NodeJS.Signals>([
  ["\u0003", "SIGINT"],
  ["\u001c", "SIGQUIT"],
  ["\u001a", "SIGTSTP"],
]);

/**
 * Reads single keys until the function that it gives is called, which gives the terminal back. A key is told as the one
 * character that it sends, an Enter right behind it aside; what comes in a piece, such as arrows and whatever is pasted, is
 * none. Keys that stand for signals send them, as the terminal would.
 */
export function listenForKeys(process: KeySource, onKey: (key: string) => void): () => void {
  const { stdin } = process;
  const listener = (text: string): void => {
    const signal = Array.from(text, (key) => SIGNALS.get(key)).find((found) => found !== undefined);
    if (signal !== undefined) process.kill(process.pid, signal);
    else if (/^[^][\r\n]?$/.test(text)) onKey(text.slice(0, 1));
  };
  stdin.setEncoding("utf8");
  stdin.setRawMode(true);
  stdin.on("data", listener);
  stdin.resume();
  return () => {
    stdin.off("data", listener);
    stdin.pause();
    stdin.setRawMode(false);
  };
}
