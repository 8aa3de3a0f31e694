import type { Retain } from "../../exec/index.js";
import { printableText } from "../terminal/printable.js";
import type { TextOutput } from "../terminal/text-output.js";
import { formatGap, holdsNothing } from "./display.js";
import type { RunDisplay } from "./display.js";
import { endLine } from "./end-line.js";
import { NewLineReader } from "./new-lines.js";
import type { OutputWindow } from "./window.js";

/** What it needs of an output. */
export type PlainOutput = Pick<TextOutput, "isTerminal" | "hasRoom" | "idle" | "write">;

/** Text as it comes, whole lines, each once; what the window dropped before it could be written is counted and named. */
export function createPlainDisplay(output: PlainOutput, retain: Retain): RunDisplay {
  const reader = new NewLineReader(retain);
  let latest: OutputWindow | undefined;
  return {
    ...holdsNothing,
    // A slow reader gets the newest window when it is ready again, so no more than one window ever waits for it.
    show(window) {
      const isWaiting = latest !== undefined;
      latest = window;
      if (isWaiting) return;
      if (output.hasRoom) writeLatest();
      else void output.idle().then(writeLatest);
    },
    async finish(window) {
      latest = undefined;
      await output.idle();
      writeNew(window);
      writeText(endLine(window.notice ?? ""));
      await output.idle();
    },
  };

  function writeLatest(): void {
    const window = latest;
    latest = undefined;
    if (window !== undefined) writeNew(window);
  }

  function writeNew(window: OutputWindow): void {
    const { start, skipped, text } = reader.next(window);
    writeText(start);
    if (skipped > 0) output.write(formatGap(skipped, window.spillPath));
    writeText(window.settled ? endLine(text) : text);
  }

  function writeText(text: string): void {
    output.write(output.isTerminal ? printableText(text) : text);
  }
}
