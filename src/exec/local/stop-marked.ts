import { systemClock } from "../clock.js";
import type { Clock } from "../clock.js";
import type { ExecutionPlan, ProcessInfo } from "../contract.js";
import { ExecError } from "../errors.js";
import { holdProcess } from "./hold-process.js";
import { createProcessControl } from "./processes/process-control.js";
import { stopTree } from "./processes/stop-tree.js";
import type { ProcessControl } from "./processes/stop-tree.js";

export interface StopMarkedOptions {
  readonly clock?: Clock | undefined;
  readonly platform?: NodeJS.Platform | undefined;
  /** The processes of another machine, in tests. */
  readonly control?: ProcessControl | undefined;
}

/**
 * Stops what an env that is gone left of an execution, and tells who survived. Its marker is all that is needed: a note of
 * the plan, made before the spawn, is enough. Processes that shed the marker and have no marked parent are not found.
 *
 * @throws {ExecError} `invalid_argument` for what is no marker, or where this process belongs to the execution itself.
 */
export async function stopMarked(
  { marker }: Pick<ExecutionPlan, "marker">,
  options: StopMarkedOptions = {},
): Promise<readonly ProcessInfo[]> {
  const { clock = systemClock, platform = process.platform } = options;
  if (!/^[a-z0-9_-]{1,64}$/.test(marker)) {
    throw new ExecError(
      "invalid_argument",
      `${JSON.stringify(marker.slice(0, 80))} is no marker; give that of an ExecutionPlan`,
    );
  }
  const control = options.control ?? createProcessControl(platform, clock);
  const release = holdProcess();
  try {
    await refuseOwn(marker, control);
    return await stopTree({ executionId: marker, marker }, control);
  } finally {
    release();
  }
}

/** A stop of the tree that it runs in would end this process half-way. */
async function refuseOwn(marker: string, { table }: ProcessControl): Promise<void> {
  const own = (await table.list({ since: 0 })).find(({ pid }) => pid === process.pid);
  if (own?.markers().includes(marker) !== true) return;
  throw new ExecError(
    "invalid_argument",
    `this process is part of the execution ${marker}; stop that from a process outside of it`,
  );
}
