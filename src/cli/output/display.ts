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

/** The whole bounded result as text: the window, then the notice on lines of its own. */
export function formatResult({ text, notice }: OutputWindow): string {
  return `${endLine(text)}${endLine(notice ?? "")}`;
}

/** The text with a newline at its end, unless it is empty. */
export function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
