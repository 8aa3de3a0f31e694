import type { Clock } from "../clock.js";
import type { ExecutionEnv, ExecutionInfo, ExecutionPlan, StartOptions } from "../contract.js";
import { ExecError } from "../errors.js";
import type { Result } from "../result.js";

/** Executions between their plan and their result: a client is told the plan, makes its note, and has them begun. */
export interface Starts {
  /** Plans an execution, which runs once it is begun. @throws {ExecError} where it cannot be. */
  plan(env: ExecutionEnv, command: string, options: StartOptions): Promise<ExecutionPlan>;
  /** Begins what was planned; again is the same answer, so that a client that did not hear it can ask. */
  begin(executionId: string): Promise<Result<ExecutionInfo, ExecError>>;
  /** Gives a plan up; nothing ran. */
  drop(executionId: string, why: string): void;
  /** Whether it was planned and its env does not list it yet. */
  has(executionId: string): boolean;
  /** Of those that were not begun. */
  readonly count: number;
}

/** How long a client has to make its note. */
const PLAN_MS = 60_000;
/** Beginnings whose answer can be asked for again. */
const MAX_BEGUN = 256;

interface PlannedStart {
  readonly started: Promise<Result<ExecutionInfo, ExecError>>;
  readonly go: () => void;
  readonly drop: (reason: Error) => void;
  readonly lapse: { cancel(): void };
}

export function createStarts(clock: Clock, onPlan: (executionId: string, env: ExecutionEnv) => void): Starts {
  const planned = new Map<string, PlannedStart>();
  const begun = new Map<string, PlannedStart["started"]>();
  const beginning = new Set<string>();

  function drop(executionId: string, why: string): void {
    const start = planned.get(executionId);
    planned.delete(executionId);
    start?.lapse.cancel();
    start?.drop(new Error(why));
  }

  return {
    async plan(env, command, options) {
      let told: (plan: ExecutionPlan) => void = () => undefined;
      let go: () => void = () => undefined;
      let refuse: (reason: Error) => void = () => undefined;
      const plan = new Promise<ExecutionPlan>((resolve) => {
        told = resolve;
      });
      const gate = new Promise<void>((resolve, reject) => {
        go = resolve;
        refuse = reject;
      });
      const prepared = (made: ExecutionPlan): Promise<void> => {
        told(made);
        return gate;
      };
      const started = env.start(command, options, { prepared });
      const first = await Promise.race([plan, started]);
      if ("ok" in first) throw first.ok ? new Error("it was started without its plan") : first.error;
      const { executionId } = first;
      const lapse = clock.after(PLAN_MS, () => drop(executionId, `nobody had it begun within ${PLAN_MS / 1_000} s`));
      planned.set(executionId, { started, go, drop: refuse, lapse });
      onPlan(executionId, env);
      return first;
    },
    async begin(executionId) {
      const start = planned.get(executionId);
      if (start !== undefined) {
        planned.delete(executionId);
        start.lapse.cancel();
        beginning.add(executionId);
        start.go();
        begun.set(executionId, start.started);
        const [oldest] = begun.keys();
        if (begun.size > MAX_BEGUN && oldest !== undefined) begun.delete(oldest);
      }
      const started = start?.started ?? begun.get(executionId);
      if (started !== undefined) return started.finally(() => beginning.delete(executionId));
      throw new ExecError("spawn_failed", `not started: the plan of ${executionId} was given up; start it anew`);
    },
    drop,
    has: (executionId) => planned.has(executionId) || beginning.has(executionId),
    get count() {
      return planned.size;
    },
  };
}
