import { track } from "../../delta/index.js";
import type { Batch, Tracker } from "../../delta/index.js";
import { MAX_PROGRESS_BYTES, Publisher, resolveCaps } from "../../exec/index.js";
import type { Clock, ShellOutputLimits } from "../../exec/index.js";
import type { ToolOutputState } from "../../protocol/index.js";
import type { CapturedUpdate, CaptureEnd, OutputLimits, ToolOutput, ToolOutputSink } from "../contract.js";
import type { ToolError } from "../errors.js";
import { CallText } from "./call-text.js";
import { OutputDetails } from "./details.js";
import { findNotice, makeInitialState, makeSeededState } from "./initial-state.js";
import { OutputNotice } from "./notice.js";
import { startWithin } from "./start-within.js";
import { TextBlocks } from "./text-blocks.js";
import { EMPTY_SIZE, joinSizes, measureText } from "./text-size.js";
import { makeToolSide } from "./tool-side.js";
import { assignTruncation, OutputTotals } from "./totals.js";
import { makeWellFormed } from "./well-formed.js";
import { OutputWindow } from "./window.js";

export interface ToolOutputOptions {
  /** The tool's `output`. */
  readonly limits: ShellOutputLimits | undefined;
  /** The state that an interrupted call had; the call goes on from it. */
  readonly seed?: ToolOutputState | undefined;
  /** The file in which the output of the interrupted call was being saved, if there is one. */
  readonly spillPath?: string | undefined;
  readonly clock: Clock;
  /** Given what each flush gives, the first a base batch. Must not throw: it is called from timers too. */
  readonly onBatch: (batch: Batch) => void;
}

/** How long after a tool took hold of its details what it changed in them is looked for. */
const DETAILS_DELAY_MS = 100;

/**
 * Where one call's output goes: plain state under a tracker, bounded, handed out as batches. Nothing is handed out before
 * the first change or flush.
 */
export function createToolOutput(options: ToolOutputOptions): ToolOutputSink {
  return new OutputSink(options);
}

class OutputSink implements ToolOutputSink {
  readonly limits: OutputLimits;
  readonly out: ToolOutput;
  readonly #clock: Clock;
  readonly #onBatch: (batch: Batch) => void;
  readonly #tracker: Tracker<ToolOutputState>;
  readonly #blocks: TextBlocks;
  readonly #window: OutputWindow;
  readonly #totals: OutputTotals;
  readonly #notice = new OutputNotice();
  readonly #text: CallText;
  readonly #details: OutputDetails;
  readonly #publisher: Publisher;
  /** Whether an earlier sink had already said what is shown. */
  readonly #isLineSaid: boolean;
  #isBegun = false;
  #detailsTimer: { cancel(): void } | undefined;
  #fault: ToolError | undefined;
  #end: { readonly state: ToolOutputState; readonly error: unknown } | undefined;

  constructor({ limits, seed, spillPath, clock, onBatch }: ToolOutputOptions) {
    this.limits = resolveCaps(limits);
    this.#clock = clock;
    this.#onBatch = onBatch;
    this.#tracker = track(seed === undefined ? makeInitialState(this.limits) : makeSeededState(seed, this.limits));
    this.#blocks = new TextBlocks(this.#tracker);
    this.#window = new OutputWindow(this.#blocks, this.limits);
    this.#totals = new OutputTotals(this.limits);
    this.#text = new CallText({
      window: this.#window,
      totals: this.#totals,
      notice: this.#notice,
      limits: this.limits,
      spillPath,
    });
    this.#details = new OutputDetails(this.#tracker);
    this.#publisher = new Publisher(clock, () => this.#emit());
    this.#isLineSaid = seed !== undefined && findNotice(seed) !== undefined;
    this.out = this.#makeToolSide();
    if (seed !== undefined) this.#resume(seed);
  }

  snapshot(): ToolOutputState {
    return this.#end === undefined ? this.#tracker.snapshot() : structuredClone(this.#end.state);
  }

  flush(): void {
    if (this.#end !== undefined) return;
    this.#text.endUpdate();
    // The state that a call begins with is no output: the first text after it has not to wait.
    if (this.#isBegun) this.#publisher.flush();
    else this.#emit();
  }

  captured(update: CapturedUpdate): void {
    if (this.#end !== undefined) return;
    this.#text.captured(update);
    this.#showProgress(update.metadata.progress);
  }

  captureSettled(end: CaptureEnd): void {
    if (this.#end !== undefined) return;
    this.#text.captureSettled(end);
    this.#showProgress(end.metadata.progress);
  }

  check(): void {
    const fault = this.#fault;
    this.#fault = undefined;
    if (fault !== undefined) throw fault;
  }

  settle(error?: unknown): unknown {
    if (this.#end !== undefined) return this.#end.error;
    this.#text.endUpdate();
    this.#publisher.stop();
    this.#detailsTimer?.cancel();
    const fault = this.#fault ?? this.#details.check();
    if (fault !== undefined && error !== undefined) this.#notice.remark(fault.message);
    const why = error === undefined ? fault : error;
    this.#text.settle(this.#tracker.state.progress ?? "");
    this.#showProgress(undefined);
    this.#showTotals(true);
    this.#showSpill();
    this.#showNotice(why);
    this.#emit();
    this.#end = { state: this.#tracker.snapshot(), error: why };
    return why;
  }

  #resume(seed: ToolOutputState): void {
    const { content, truncation, progress = "" } = seed;
    const texts = content.flatMap((block) => (block.type === "text" && block.notice !== true ? [block.text] : []));
    const size = [...texts, progress].map(measureText).reduce(joinSizes, EMPTY_SIZE);
    this.#window.resume(truncation.truncated ? truncation.truncatedBy : null);
    // Whoever was writing that line is gone; what it had of it is text now.
    this.#text.settle(progress);
    this.#showProgress(undefined);
    this.#totals.resume(truncation, size);
    this.#notice.say(findNotice(seed) ?? "");
  }

  #makeToolSide(): ToolOutput {
    return makeToolSide({
      tracker: this.#tracker,
      text: this.#text,
      notice: this.#notice,
      details: this.#details,
      showProgress: (progress) => this.#showProgress(progress),
      act: (change) => this.#act(change),
      expectChange: () => this.#expectDetails(),
      settledDetails: () => (this.#end === undefined ? undefined : this.snapshot()),
    });
  }

  /** A late call harms nobody; one in time is told what went wrong, also with what was found since the last one. */
  #act(change: () => void): void {
    if (this.#end !== undefined) return;
    this.check();
    change();
    if (!this.#text.isInUpdate) this.#publisher.touch();
    this.check();
  }

  /** Nothing tells when details change, only that a tool took hold of them. */
  #expectDetails(): void {
    if (this.#text.isInUpdate) return;
    this.#detailsTimer ??= this.#clock.after(DETAILS_DELAY_MS, () => {
      this.#detailsTimer = undefined;
      this.#publisher.touch();
    });
  }

  /** Hands out what changed, and gives its bytes. */
  #emit(): number {
    this.#fault = this.#details.check() ?? this.#fault;
    this.#showTotals(false);
    this.#isBegun = true;
    const batch = this.#tracker.flush();
    if (batch.length === 0) return 0;
    const bytes = Buffer.byteLength(JSON.stringify(batch));
    this.#onBatch(batch);
    return bytes;
  }

  #showProgress(progress: string | undefined): void {
    const { state } = this.#tracker;
    if (progress === undefined || progress === "") delete state.progress;
    else state.progress = startWithin(makeWellFormed(progress), MAX_PROGRESS_BYTES);
  }

  /** While nothing was cut, the totals say nothing that the text does not: no op is spent on them until the end. */
  #showTotals(isEnd: boolean): void {
    const { state } = this.#tracker;
    const truncation = this.#totals.compute(this.#window.cut);
    if (isEnd || truncation.truncated || state.truncation.truncated) assignTruncation(state.truncation, truncation);
  }

  /** Who opens the spill later has to know what to expect of it. */
  #showSpill(): void {
    const { state } = this.#tracker;
    const { spill } = this.#text;
    if (spill === undefined) return;
    const { bytes, complete } = spill;
    if (!complete || bytes !== state.truncation.totalBytes) state.spill = { bytes, complete };
  }

  #showNotice(error: unknown): void {
    const line = this.#isLineSaid ? undefined : this.#text.describeShown();
    const text = this.#notice.compose({ line, error: describeError(error) });
    if (text === undefined) return;
    this.#tracker.state.content.splice(this.#blocks.hasTail ? 2 : 1, 0, { type: "text", text, notice: true });
  }
}

function describeError(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const text = error instanceof Error ? error.message || error.name : error;
  return typeof text === "string" && text.trim() !== "" ? text : "The tool failed without saying why.";
}
