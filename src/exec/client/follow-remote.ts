import type { AttachOptions, ExecResult } from "../contract.js";
import { ExecError } from "../errors.js";
import { execResult, update as checkUpdate } from "../link/shapes.js";
import type { ShellOutputTruncation, ShellOutputUpdate } from "../output/view.js";
import { failed, ok } from "../result.js";
import type { Result } from "../result.js";
import { asExecError } from "./coded.js";
import type { HostSession } from "./host-session.js";

export type Ended = Result<ExecResult, ExecError>;

/**
 * Follows an execution of the host over as many links as it takes; each opens with a `replace`, so what a lost one had on
 * the way is not missed. Ends with the execution's result, or with the gap: what is not known, after which totals.
 */
export async function followRemote(
  session: Pick<HostSession, "request">,
  executionId: string,
  { onUpdate, runOnly }: AttachOptions,
  signal: AbortSignal | undefined,
): Promise<Ended> {
  let seen: ShellOutputTruncation | undefined;
  const take = (value: unknown): void => {
    const update = checkUpdate(value, "the update");
    seen = (update.kind === "replace" ? update.output : update.metadata).truncation;
    tell(update, onUpdate);
  };
  try {
    if (signal?.aborted === true) throw new ExecError("aborted", "detached from the execution, which goes on");
    const value = await session.request("attach", { executionId, runOnly }, { onUpdate: take, signal });
    return ok(execResult(value, "the result"));
  } catch (error) {
    return failed(stateGap(asExecError(error), executionId, seen));
  }
}

function tell(update: ShellOutputUpdate, onUpdate: AttachOptions["onUpdate"]): void {
  try {
    onUpdate?.(update);
  } catch (cause) {
    const message = `detached from the execution, which goes on: the receiver of its updates failed: ${String(cause)}`;
    throw new ExecError("internal", message, { cause });
  }
}

/** What was seen of an execution whose end is not known. */
function stateGap(error: ExecError, executionId: string, seen: ShellOutputTruncation | undefined): ExecError {
  const isGap = error.code === "execution_lost" || error.code === "link_lost" || error.code === "link_refused";
  if (!isGap || seen === undefined || error.result !== undefined) return error;
  const { totalBytes, totalLines } = seen;
  const known = `its output is known up to ${totalBytes} bytes and ${totalLines} lines, what came after is not`;
  const result: ExecResult = {
    executionId,
    exitCode: null,
    signal: null,
    durationMs: 0,
    truncation: seen,
    containment: "group+marker",
    left: [],
    survivors: [],
  };
  return new ExecError(error.code, `${error.message}; ${known}`, { result, cause: error });
}
