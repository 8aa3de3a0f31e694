import { ExecError, failed, ok } from "../../exec/index.js";
import type { AttachOptions, ExecResult, ExecutionEnv, ExecutionInfo, Result } from "../../exec/index.js";

/**
 * Follows an execution that somebody began who is gone as they followed it: to the end of its shell, and an abort stops it.
 * How it ended is waited for then too.
 */
export async function followEarlier(
  env: ExecutionEnv,
  executionId: string,
  options: Pick<AttachOptions, "onUpdate" | "keep">,
  signal: AbortSignal,
): Promise<Result<ExecResult, ExecError>> {
  const stop = (): void => {
    env.kill(executionId).catch(() => undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await env.attach(executionId, { ...options, runOnly: true });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** What the env knows of an execution that was started earlier. */
export async function findEarlier(env: ExecutionEnv, executionId: string): Promise<Result<ExecutionInfo, ExecError>> {
  const info = (await env.list()).find((listed) => listed.executionId === executionId);
  if (info !== undefined) return ok(info);
  return failed(new ExecError("execution_unknown", `the execution ${executionId}, which was started earlier, is gone`));
}
