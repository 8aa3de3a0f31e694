import type { Retain } from "../../exec/index.js";
import { printableText } from "../terminal/printable.js";
import type { TextOutput } from "../terminal/text-output.js";
import { endLine } from "./display.js";
import type { RunDisplay } from "./display.js";
import { NewLineReader } from "./new-lines.js";
import type { OutputWindow } from "./window.js";

/** Text as it comes, whole lines, each once; what the window dropped before it could be written is counted and named. */
export function createPlainDisplay(output: TextOutput, retain: Retain): RunDisplay {
  return new PlainDisplay(output, retain);
}

class PlainDisplay implements RunDisplay {
  readonly #output: TextOutput;
  readonly #reader: NewLineReader;
  #latest: OutputWindow | undefined;

  constructor(output: TextOutput, retain: Retain) {
    this.#output = output;
    this.#reader = new NewLineReader(retain);
  }

  // A slow reader gets the newest window when it is ready again, so no more than one window ever waits for it.
  show(window: OutputWindow): void {
    const isWaiting = this.#latest !== undefined;
    this.#latest = window;
    if (isWaiting) return;
    void this.#output.idle().then(() => this.#writeLatest());
  }

  async finish(window: OutputWindow): Promise<void> {
    this.#latest = undefined;
    await this.#output.idle();
    this.#write(window);
    this.#output.write(this.#clean(endLine(window.notice ?? "")));
    await this.#output.idle();
  }

  abandon(): void {
    this.#latest = undefined;
  }

  #writeLatest(): void {
    const window = this.#latest;
    this.#latest = undefined;
    if (window !== undefined) this.#write(window);
  }

  #write(window: OutputWindow): void {
    const { skipped, text } = this.#reader.next(window);
    if (skipped > 0) this.#output.write(formatGap(skipped, window.spillPath));
    this.#output.write(this.#clean(window.settled ? endLine(text) : text));
  }

  #clean(text: string): string {
    return this.#output.isTerminal ? printableText(text) : text;
  }
}

function formatGap(lines: number, spillPath: string | undefined): string {
  const count = `${lines} ${lines === 1 ? "line" : "lines"} not shown`;
  return spillPath === undefined ? `[… ${count}]\n` : `[… ${count}, see ${spillPath}]\n`;
}
