import type { Clock } from "../clock.js";
import type { DecodingReport } from "./encoding.js";
import type { SpillBudget } from "./spill-budget.js";
import type { OpenSpill } from "./spill-handle.js";
import type { ShellOutputLimits, ShellOutputTruncation, ShellOutputUpdate, SpillReport } from "./view.js";

/** 0 is standard output, 1 is standard error. */
export type Pipe = 0 | 1;

/**
 * From raw bytes of both pipes to bounded updates and a spill file. One per execution; knows no process.
 *
 * The owner pushes bytes in the order in which it read them, ends each pipe, then settles.
 */
export interface OutputCapture {
  /**
   * Takes bytes read from a pipe; they are the owner's again when this returns. False asks the owner to stop reading
   * both pipes until `onDrain`, because the spill file is behind.
   */
  push(pipe: Pipe, bytes: Uint8Array): boolean;
  /** Says that a pipe gives no more: its unfinished character and escape sequence are resolved. */
  end(pipe: Pipe): void;
  /** Ends both pipes, publishes what is left, finishes the spill file, and gives the totals. What is pushed later is ignored. */
  settle(): Promise<CaptureResult>;
  /**
   * Opens a stream for another follower: a `replace` with the view as it is now. Changes that were not told yet are told
   * first, so that what `onUpdate` is given later fits this view too.
   */
  snapshot(): ShellOutputUpdate;
}

export interface CaptureResult {
  readonly truncation: ShellOutputTruncation;
  readonly spill?: SpillReport;
  readonly decoding?: DecodingReport;
}

export interface OutputCaptureOptions {
  readonly limits: ShellOutputLimits | undefined;
  /** A label of the Encoding Standard; UTF-8 where absent, or where there is no such encoding. */
  readonly encoding?: string | undefined;
  /** Absolute path of the spill file, which must not exist yet; absent for no spill. */
  readonly spillPath?: string | undefined;
  /** Most bytes that the spill file may hold. */
  readonly maxSpillBytes?: number | undefined;
  /** What it shares with the spills of other executions; absent for no such limit. */
  readonly spillBudget?: SpillBudget | undefined;
  /** How the spill file is made; for tests of files that fail. */
  readonly openSpill?: OpenSpill | undefined;
  /** Values that must not appear in text or spill. */
  readonly secrets?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly onUpdate: (update: ShellOutputUpdate) => void;
  readonly onDrain: () => void;
  /** Told once, when a quota ends the saving. */
  readonly onSpillFull?: (() => void) | undefined;
}
