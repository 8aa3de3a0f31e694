import type { ReportDiagnostic } from "./diagnostics.js";
import type { FileLayer } from "./file-layer.js";
import type { SessionLocks } from "./session-lock.js";
import type { Timers } from "./timers.js";

/** What every session of one storage works with. */
export interface JsonlParts {
  readonly files: FileLayer;
  readonly locks: SessionLocks;
  readonly timers: Timers;
  readonly report: ReportDiagnostic;
  /** How long what was written under `interval` waits for its sync at most. */
  readonly syncIntervalMs: number;
  /** Dead bytes of a sidecar above which it is rewritten. */
  readonly maxDeadBytes: number;
  /** Dead bytes of a main log below which it is not rewritten, however little lives. */
  readonly minMainDeadBytes: number;
}
