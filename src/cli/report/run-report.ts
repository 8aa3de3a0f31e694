import type { SpillReport } from "../../exec/index.js";

/** What one run was and cost: all of it measured in that run. Printed as one line by `--json`. */
export interface RunReport {
  readonly type: "report";
  readonly command: string;
  /** Of the command; null when a signal ended it or when it never ran. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** All that the command ever wrote. */
  readonly produced: { readonly bytes: number; readonly lines: number };
  /** What was kept of it as text. */
  readonly window: {
    readonly bytes: number;
    readonly lines: number;
    readonly maxBytes: number;
    readonly maxLines: number;
    readonly truncatedBy: "bytes" | "lines" | null;
  };
  readonly flushes: {
    /** Batches of the call's output that subscribers were given. */
    readonly live: number;
    /** List elements that stored them. */
    readonly durable: number;
    /** Elements that stated the whole output anew. */
    readonly recoveryBases: number;
  };
  readonly wire: {
    readonly subscribers: number;
    /** UTF-8 bytes of JSON that each subscriber was sent. */
    readonly bytesEach: number;
    /** The same if each message had been the whole state as JSON. */
    readonly snapshotBytes: number;
    /** Of those, text that was new to the window, as JSON. */
    readonly newTextBytes: number;
  };
  readonly log: { readonly mainBytes: number; readonly sidecarPeakBytes: number; readonly sidecarBytes: number };
  /** Changes of the call's details. */
  readonly detailsWrites: number;
  readonly spill: {
    readonly path: string | null;
    readonly bytes: number;
    readonly complete: boolean;
    readonly reason: SpillReport["reason"] | null;
  };
}

/** What the drawn report sets beside the run besides: whole results at the same moments. */
export interface SnapshotCosts {
  /** UTF-8 bytes of the elements that stored the output. */
  readonly durableBytes: number;
  /** UTF-8 bytes of the whole result as JSON at each of them. */
  readonly durableSnapshotBytes: number;
}
