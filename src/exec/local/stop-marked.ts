import { systemClock } from "../clock.js";
import type { Clock } from "../clock.js";
import type { ExecutionPlan, ProcessInfo } from "../contract.js";
import { ExecError } from "../errors.js";
import { inheritEnvironment } from "./environment/command-environment.js";
import type { Environment } from "./environment/command-environment.js";
import { holdProcess } from "./hold-process.js";
import { maskCommands } from "./processes/masked-table.js";
import { createProcessControl } from "./processes/process-control.js";
import { stopTree } from "./processes/stop-tree.js";
import type { ProcessControl } from "./processes/stop-tree.js";

export interface StopMarkedOptions {
  /** As that of the env that is gone: what its commands did not get is masked in the command lines of survivors. */
  readonly environment?: Environment | undefined;
  /** Names that the env withheld besides those that hold what is the harness's own. */
  readonly withhold?: readonly string[] | undefined;
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
  if (!/^[a-z0-9_-]{1,64}$/.test(marker)) {
    throw new ExecError(
      "invalid_argument",
      `${JSON.stringify(marker.slice(0, 80))} is no marker; give that of an ExecutionPlan`,
    );
  }
  const control = createMaskedControl(options);
  const release = holdProcess();
  try {
    await refuseOwn(marker, control);
    return await stopTree({ executionId: marker, marker }, control);
  } finally {
    release();
  }
}

function createMaskedControl(options: StopMarkedOptions): ProcessControl {
  const { environment = {}, withhold, clock = systemClock, platform = process.platform } = options;
  const control = options.control ?? createProcessControl(platform, clock);
  const { secrets } = inheritEnvironment(environment, { withhold });
  return { ...control, table: maskCommands(control.table, secrets) };
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
