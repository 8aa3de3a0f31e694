import type { OutputWindow } from "./window.js";

/** How one run is shown while it goes on and when it has ended. */
export interface RunDisplay {
  /** Called with the window after each batch; it may be shown later, or skipped for a newer one. */
  show(window: OutputWindow): void;
  /** Called once, with the last window. Resolves when all was written. */
  finish(window: OutputWindow): Promise<void>;
  /** Gives the terminal back at once, whatever is still to be shown. */
  abandon(): void;
}

/** The whole bounded result as text: the window, then the notice on lines of its own. */
export function formatResult({ text, notice }: OutputWindow): string {
  return `${endLine(text)}${endLine(notice ?? "")}`;
}

/** The text with a newline at its end, unless it is empty. */
export function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
