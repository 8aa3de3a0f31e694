import type { ExecResult } from "../contract.js";
import { ExecError } from "../errors.js";
import { getOrThrow } from "../result.js";
import type { Owner } from "./owner.js";

/** Where the updates of an execution go. */
export interface FollowChannel {
  /** Aborts when nobody follows any more. */
  readonly signal: AbortSignal;
  /** Tells an update; false where there is no room for it, and it was not told. */
  readonly tell: (update: unknown) => boolean;
  /** Resolves when there is room again. */
  readonly room: () => Promise<void>;
}

/**
 * Follows an execution to its result, which stays with the host until it is collected. Who does not take the updates is let
 * go and comes back when there is room: coming back opens with a `replace`, so nothing is kept for it meanwhile.
 *
 * @throws {ExecError} as the execution failed
 */
export async function followExecution(
  owner: Owner,
  executionId: string,
  runOnly: boolean | undefined,
  { signal, tell, room }: FollowChannel,
): Promise<ExecResult> {
  const leave = owner.follow(executionId);
  try {
    for (;;) {
      const behind = new AbortController();
      const onUpdate = (update: unknown): void => {
        if (!behind.signal.aborted && !tell(update)) behind.abort();
      };
      const ended = await owner
        .envOf(executionId)
        .attach(executionId, { onUpdate, runOnly, keep: true }, { signal: AbortSignal.any([signal, behind.signal]) });
      if (!behind.signal.aborted) {
        if (ended.ok) return ended.value;
        throw restate(ended.error, owner.abandonmentOf(executionId));
      }
      await room();
      if (signal.aborted) return getOrThrow(ended);
    }
  } finally {
    // A link that was lost is soon replaced by another.
    if (signal.aborted) owner.expect(executionId);
    leave();
  }
}

/** The env knows only that it was told to stop it. */
function restate(error: ExecError, abandonment: string | undefined): ExecError {
  if (error.code !== "aborted" || error.result === undefined || abandonment === undefined) return error;
  return new ExecError("abandoned", `the command was stopped ${abandonment}`, { result: error.result });
}
