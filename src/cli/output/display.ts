import { endLine } from "./end-line.js";
import { countLines } from "./new-lines.js";
import type { OutputWindow } from "./window.js";

/** How one run is shown while it goes on and when it has ended. */
export interface RunDisplay {
  /** Called after each message, with the window as it is now and the message; either may be skipped for a newer one. */
  show(window: OutputWindow, json: string): void;
  /** Called once, with the last window. Resolves when all was written. */
  finish(window: OutputWindow): Promise<void>;
  /** Gives the terminal back to the shell for a while, and takes it again. */
  suspend(): void;
  resume(): void;
  /** Gives the terminal back for good, whatever is still to be shown. Does nothing after `finish`. */
  abandon(): void;
}

/** A display that holds nothing of the terminal between its writes. */
export const holdsNothing: Pick<RunDisplay, "suspend" | "resume" | "abandon"> = {
  suspend: () => undefined,
  resume: () => undefined,
  abandon: () => undefined,
};

/** The whole bounded result as text: the window, a gap in it told, then the notice on lines of its own. */
export function formatResult(window: OutputWindow): string {
  const { text, tail, notice } = window;
  const end = tail === undefined ? "" : `${formatGap(countHidden(window, tail))}${endLine(tail)}`;
  return `${endLine(text)}${end}${endLine(notice ?? "")}`;
}

/** Lines that are between the start and the end that are kept. */
function countHidden({ text, totalLines }: OutputWindow, tail: string): number {
  return Math.max(0, totalLines - countLines(text) - countLines(tail));
}

/** A line in place of others. Of a line that is cut in the middle there is none to count. */
export function formatGap(lines: number, spillPath?: string): string {
  const count = lines === 0 ? "the middle of a line" : `${lines} ${lines === 1 ? "line" : "lines"}`;
  return spillPath === undefined ? `[… ${count} not shown]\n` : `[… ${count} not shown, see ${spillPath}]\n`;
}
