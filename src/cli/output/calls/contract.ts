import type { RunDisplay } from "../display.js";
import type { OutputWindow } from "../window.js";

/** One of the calls that are shown side by side. */
export interface ShownCall {
  /** That of no other call of the session. */
  readonly id: string;
  /** Its tool and what it was asked for, on one line that a terminal can be given. */
  readonly title: string;
  readonly window: OutputWindow;
}

/** How calls are shown of which several may run at a time. */
export interface CallsDisplay extends Pick<RunDisplay, "suspend" | "resume" | "abandon"> {
  /** Called after each message with all calls that there are, in the order in which they began. */
  show(calls: readonly ShownCall[]): void;
  /** Called once, with the last of them. Resolves when all was written. */
  finish(calls: readonly ShownCall[]): Promise<void>;
}

/** What stands above the text of a call, where there is that of others too. */
export function formatHeading({ title }: ShownCall): string {
  return `==> ${title} <==\n`;
}
