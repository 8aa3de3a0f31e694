import type { spawn } from "node:child_process";
import type { Clock } from "../clock.js";
import type { SpillBudget } from "../output/spill-budget.js";
import type { InheritedEnvironment } from "./environment/command-environment.js";
import type { FifoPool } from "./pipes/fifo-pool.js";
import type { ProcessControl } from "./processes/stop-tree.js";
import type { TreeRegistry } from "./processes/tree.js";
import type { Sandbox } from "./sandbox/sandbox.js";

/** What all executions of one env share. */
export interface LocalParts {
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  /** What the ids of executions begin with. */
  readonly idPrefix: string;
  /** Is told of an execution of which nothing more is saved, because a quota was reached. */
  readonly onSpillFull: (executionId: string) => void;
  readonly spawn: typeof spawn;
  readonly control: ProcessControl;
  readonly fifos: FifoPool;
  readonly registry: TreeRegistry;
  readonly environment: InheritedEnvironment;
  /** Finds the shell when it is first needed. */
  readonly shellPath: () => string;
  /** Absent where commands run on the machine as it is. */
  readonly sandbox: Sandbox | undefined;
  readonly spillFolder: string | undefined;
  readonly maxSpillBytes: number;
  /** What all spills may hold together; absent where none can be made. */
  readonly spillBudget: SpillBudget | undefined;
  /** Keeps this process alive until the function it gives is called. */
  readonly holdProcess: () => () => void;
}
