import { fitLine } from "../../terminal/fit.js";
import { printableLine, printableText } from "../../terminal/printable.js";
import { formatResult } from "../display.js";
import type { RunDisplay } from "../display.js";
import { createLiveDisplay } from "../live.js";
import type { LiveDisplayOptions } from "../live.js";
import { findLastLines } from "../new-lines.js";
import { formatHeading } from "./contract.js";
import type { CallsDisplay, ShownCall } from "./contract.js";

/** The newest call as `run` shows one, a row for each other above it; what has settled stands above the region as text. */
export function createLiveCalls(options: LiveDisplayOptions): CallsDisplay {
  return new LiveCalls(options);
}

/** Most rows of other calls, and of how many rows of the terminal they may take one. */
const MAX_OTHER_ROWS = 8;
const ROWS_PER_OTHER = 3;
const SEPARATOR = " │ ";

class LiveCalls implements CallsDisplay {
  readonly #options: LiveDisplayOptions;
  /** Those that run, and since when they are seen. */
  #open: readonly ShownCall[] = [];
  #since: ReadonlyMap<string, number> = new Map();
  #newest: { readonly id: string; readonly display: RunDisplay } | undefined;
  /** Whether there is text of more than one call to be told apart. */
  #isOfMany = false;

  constructor(options: LiveDisplayOptions) {
    this.#options = options;
  }

  show(calls: readonly ShownCall[]): void {
    const settled = calls.filter(({ window }) => window.settled);
    this.#note(calls);
    if (settled.length > 0) this.#print(settled);
    this.#showNewest();
  }

  async finish(calls: readonly ShownCall[]): Promise<void> {
    this.#note(calls);
    this.#print(calls);
    await this.#options.output.idle();
  }

  suspend(): void {
    this.#newest?.display.suspend();
  }

  resume(): void {
    this.#newest?.display.resume();
  }

  abandon(): void {
    this.#newest?.display.abandon();
    this.#newest = undefined;
  }

  #note(calls: readonly ShownCall[]): void {
    const now = this.#options.clock.monotonic();
    this.#isOfMany ||= calls.length > 1 || calls.some(({ id }) => this.#since.size > 0 && !this.#since.has(id));
    this.#open = calls.filter(({ window }) => !window.settled);
    if (calls.length > 0) this.#since = new Map(calls.map(({ id }) => [id, this.#since.get(id) ?? now]));
  }

  #print(calls: readonly ShownCall[]): void {
    this.abandon();
    for (const call of calls) {
      const heading = this.#isOfMany ? formatHeading(call) : "";
      this.#options.output.write(printableText(`${heading}${formatResult(call.window)}`));
    }
  }

  #showNewest(): void {
    const call = this.#open.at(-1);
    if (call === undefined) return;
    if (call.id !== this.#newest?.id) {
      this.abandon();
      const startedAt = this.#since.get(call.id);
      const display = createLiveDisplay({ ...this.#options, startedAt, above: () => this.#drawOthers() });
      this.#newest = { id: call.id, display };
    }
    this.#newest?.display.show(call.window, "");
  }

  /** A row for each of the others, the number of those that there is no room for, and what the text below is of. */
  #drawOthers(): readonly string[] {
    const { output, colours } = this.#options;
    const { rows, columns } = output;
    const newest = this.#open.at(-1);
    const others = this.#open.slice(0, -1).reverse();
    const room = Math.min(MAX_OTHER_ROWS, Math.floor(rows / ROWS_PER_OTHER) - 1);
    if (newest === undefined || others.length === 0 || room < 1) return [];
    const shown = others.slice(0, others.length > room ? room - 1 : room).reverse();
    const rest = others.length - shown.length;
    return [
      ...(rest > 0 ? [fitLine(`${rest} more ${rest === 1 ? "call" : "calls"}`, columns)] : []),
      ...shown.map((call) => fitLine(describeOther(call, columns), columns)),
      fitLine(formatHeading(newest).trimEnd(), columns),
    ].map((row) => colours.dim(row));
  }
}

/** Its title, of which half a row is left for what it gave last. */
function describeOther({ title, window }: ShownCall, columns: number): string {
  const last = printableLine(window.progress ?? lastLine(window.tail ?? window.text));
  return last === "" ? title : `${fitLine(title, Math.floor(columns / 2))}${SEPARATOR}${last}`;
}

function lastLine(text: string): string {
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  return text.slice(findLastLines(text, end, 1).start, end);
}
