import type { Clock } from "../clock.js";
import type { ExecutionInfo } from "../contract.js";
import { ExecError } from "../errors.js";
import type { Execution } from "./execution.js";
import type { StopReason } from "./stop-reason.js";

/** The executions of an env that run, were left behind, or have a result that nobody collected. */
export interface KnownExecutions {
  /** Launches an execution. @throws {ExecError} `spawn_failed`; it is then not known. */
  add(execution: Execution): Promise<void>;
  /** @throws {ExecError} `execution_unknown` */
  get(executionId: string): Execution;
  /** Says that somebody has its result. */
  collect(execution: Execution): void;
  /** The same for an id, which may be known no more. */
  collectId(executionId: string): void;
  list(): Promise<readonly ExecutionInfo[]>;
  endAll(reason: StopReason): Promise<void>;
}

/** How long a result waits to be collected. */
const KEEP_RESULT_MS = 24 * 3_600_000;
/** How many do. */
const KEEP_RESULTS = 256;
/** Left executions that are looked at only when somebody asks; with more, every new one has the old ones looked at. */
const UNWATCHED_LEFT = 16;

export function createKnownExecutions(clock: Clock): KnownExecutions {
  const executions = new Map<string, Execution>();
  const collected = new Set<Execution>();
  /** Those whose result waits, by when they ended. */
  const waiting = new Map<Execution, number>();

  function forget(execution: Execution): void {
    executions.delete(execution.plan.executionId);
    collected.delete(execution);
    waiting.delete(execution);
  }

  function collect(execution: Execution): void {
    collected.add(execution);
    if (execution.over) forget(execution);
  }

  function forgetOld(): void {
    const oldest = clock.now() - KEEP_RESULT_MS;
    for (const [execution, endedAt] of waiting) {
      if (endedAt < oldest || waiting.size > KEEP_RESULTS) forget(execution);
    }
  }

  async function followToEnd(execution: Execution): Promise<void> {
    await execution.outcome;
    if (!execution.over && executions.size > UNWATCHED_LEFT) await list();
    await execution.whenOver;
    // Whoever has its result may have been here first.
    const isKnown = executions.has(execution.plan.executionId);
    if (isKnown && !collected.has(execution)) waiting.set(execution, clock.now());
    else forget(execution);
    forgetOld();
  }

  async function list(): Promise<readonly ExecutionInfo[]> {
    forgetOld();
    const infos = await Promise.all([...executions.values()].map((execution) => execution.describe()));
    // Asking who still lives may have found that nobody does.
    return infos.filter(({ executionId }) => executions.has(executionId));
  }

  return {
    async add(execution) {
      executions.set(execution.plan.executionId, execution);
      try {
        await execution.launch();
      } catch (error) {
        forget(execution);
        throw error;
      }
      followToEnd(execution).catch(() => undefined);
    },
    get(executionId) {
      const execution = executions.get(executionId);
      if (execution !== undefined) return execution;
      throw new ExecError("execution_unknown", `no execution is known as ${executionId.slice(0, 64)}; see list()`);
    },
    collect,
    collectId(executionId) {
      const execution = executions.get(executionId);
      // What still runs has no result to let go of.
      if (execution?.settled === true) collect(execution);
    },
    list,
    async endAll(reason) {
      await Promise.all([...executions.values()].map((execution) => execution.end(reason)));
      for (const execution of executions.values()) forget(execution);
    },
  };
}
