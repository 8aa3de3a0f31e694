import { basename } from "node:path";
import type { Clock } from "../clock.js";
import type { ExecutionInfo } from "../contract.js";
import type { KeepSpills } from "../local/spills/removal-choice.js";
import { sweepSpills } from "../local/spills/sweep-spills.js";

export interface SpillSweepsOptions {
  readonly spillRoot: string;
  /** Asked at each sweep for what else is in use, besides what the host itself has. */
  readonly findKept: () => KeepSpills;
  readonly maxBytes: number | undefined;
  /** What runs, or has a result that waits. */
  readonly list: () => Promise<readonly ExecutionInfo[]>;
  readonly clock: Clock;
}

/** A host may live for weeks: so often it looks again. */
export const SWEEP_EVERY_MS = 3_600_000;

/** Removes old spills now and every hour. What cannot be removed is tried again then, and is no failure of the host. */
export function startSpillSweeps(options: SpillSweepsOptions): { stop(): void } {
  const { clock } = options;
  let stopped = false;
  let timer: { cancel(): void } | undefined;

  function sweep(): void {
    sweepOnce(options)
      .catch(() => undefined)
      .finally(() => {
        if (!stopped) timer = clock.after(SWEEP_EVERY_MS, sweep);
      });
  }

  sweep();
  return {
    stop() {
      stopped = true;
      timer?.cancel();
    },
  };
}

async function sweepOnce({ spillRoot, findKept, maxBytes, list, clock }: SpillSweepsOptions): Promise<void> {
  const listed = new Set((await list()).map(({ executionId }) => executionId));
  const keep = findKept();
  const isKept = typeof keep === "function" ? keep : (path: string) => keep.has(path);
  await sweepSpills({
    folder: spillRoot,
    keep: (path) => isKept(path) || listed.has(basename(path).replace(/\..*/, "")),
    maxBytes,
    clock,
  });
}
