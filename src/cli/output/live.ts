import type { Clock, Retain } from "../../exec/index.js";
import type { Colours } from "../terminal/colours.js";
import { LineFitter } from "../terminal/line-fitter.js";
import { printableText } from "../terminal/printable.js";
import { LiveRegion } from "../terminal/region.js";
import type { TextOutput } from "../terminal/text-output.js";
import { formatResult } from "./display.js";
import type { RunDisplay } from "./display.js";
import { composeFrame } from "./frame.js";
import { NewLineReader } from "./new-lines.js";
import type { OutputWindow } from "./window.js";

export interface LiveDisplayOptions {
  readonly output: TextOutput;
  readonly retain: Retain;
  readonly clock: Clock;
  readonly colours: Colours;
  /** By the clock's monotonic time; default now. */
  readonly startedAt?: number | undefined;
  /** Rows that stand above the text, each of which fits the terminal; fewer than it has. */
  readonly above?: (() => readonly string[]) | undefined;
}

/** The shortest time between two frames; also how often the elapsed time is brought up to date. */
const FRAME_MS = 100;

/** The last lines of the window, redrawn in place on a terminal; at the end the bounded result takes their place. */
export function createLiveDisplay(options: LiveDisplayOptions): RunDisplay {
  return new LiveDisplay(options);
}

class LiveDisplay implements RunDisplay {
  readonly #options: LiveDisplayOptions;
  readonly #region: LiveRegion;
  readonly #lines: NewLineReader;
  readonly #fitter = new LineFitter();
  readonly #startedAt: number;
  readonly #stopResize: () => void;
  #timer: { cancel(): void } | undefined;
  #window: OutputWindow | undefined;
  #isOpen = true;
  #isSuspended = false;

  constructor(options: LiveDisplayOptions) {
    this.#options = options;
    this.#region = new LiveRegion(options.output);
    this.#lines = new NewLineReader(options.retain);
    this.#startedAt = options.startedAt ?? options.clock.monotonic();
    this.#stopResize = options.output.onResize(() => this.#draw());
    this.#draw();
    this.#tick();
  }

  show(window: OutputWindow): void {
    this.#window = window;
  }

  async finish(window: OutputWindow): Promise<void> {
    this.#close();
    this.#region.clear();
    this.#options.output.write(printableText(formatResult(window)));
    await this.#options.output.idle();
  }

  suspend(): void {
    if (!this.#isOpen) return;
    this.#isSuspended = true;
    this.#region.release();
  }

  resume(): void {
    this.#isSuspended = false;
    this.#draw();
  }

  abandon(): void {
    if (!this.#isOpen) return;
    this.#close();
    this.#region.clear();
  }

  #tick(): void {
    this.#timer = this.#options.clock.after(FRAME_MS, () => {
      this.#draw();
      this.#tick();
    });
  }

  #draw(): void {
    const { output, clock, colours } = this.#options;
    // A terminal that is behind gets the next frame instead of this one.
    if (!this.#isOpen || this.#isSuspended || !output.isIdle) return;
    const window = this.#window;
    if (window !== undefined) this.#lines.next(window);
    const above = this.#options.above?.() ?? [];
    const frame = composeFrame({
      window,
      seen: this.#lines,
      elapsedMs: clock.monotonic() - this.#startedAt,
      columns: output.columns,
      rows: output.rows - above.length,
      colours,
      fitter: this.#fitter,
    });
    this.#region.draw([...above, ...frame]);
  }

  #close(): void {
    this.#isOpen = false;
    this.#timer?.cancel();
    this.#stopResize();
  }
}
