import type { ExecutionEnv, ExecutionPlan } from "../exec/index.js";

/** What an env has of the executions that a call had begun. */
export interface EarlierExecutions {
  /** Whether it has every one of them, running or with its result, and there was one. */
  readonly areThere: boolean;
  /** Its own words, where it had one of them and is not the same any more. */
  readonly loss: string | undefined;
}

/** Asks the env. Rejects where it cannot be asked: nothing is decided then. */
export async function findEarlier(env: ExecutionEnv, plans: readonly ExecutionPlan[]): Promise<EarlierExecutions> {
  const known = new Set((await env.list()).map(({ executionId }) => executionId));
  const missing = plans.filter(({ executionId }) => !known.has(executionId));
  const losses = await Promise.all(missing.map(({ executionId }) => findLoss(env, executionId)));
  return {
    areThere: plans.length > 0 && missing.length === 0,
    loss: losses.find((loss) => loss !== undefined),
  };
}

/** Attaching to what is not listed says why it is not; should it be there after all, it is let go of at once. */
async function findLoss(env: ExecutionEnv, executionId: string): Promise<string | undefined> {
  const look = new AbortController();
  const ended = await env.attach(
    executionId,
    { runOnly: true, keep: true, onUpdate: () => look.abort() },
    { signal: look.signal },
  );
  return !ended.ok && ended.error.code === "execution_lost" ? ended.error.message : undefined;
}
