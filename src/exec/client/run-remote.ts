import type { Clock } from "../clock.js";
import type { FollowOptions } from "../contract.js";
import { ExecError } from "../errors.js";
import { failed } from "../result.js";
import { followRemote } from "./follow-remote.js";
import type { Ended } from "./follow-remote.js";
import type { HostSession } from "./host-session.js";

/** How long a stop may take until its caller is told that it is not known whether it happened. */
const STOP_MS = 8_000;

/** Follows a run that the caller owns: an abort, or a receiver that fails, stops it. */
export async function runRemote(
  session: HostSession,
  clock: Clock,
  executionId: string,
  onUpdate: FollowOptions["onUpdate"],
  signal: AbortSignal | undefined,
): Promise<Ended> {
  const letGo = new AbortController();
  let timer: { cancel(): void } | undefined;
  let failure: { readonly cause: unknown } | undefined;

  const stop = (): void => {
    if (timer !== undefined) return;
    // Goes to the host with the next link, should there be none now.
    session.request("kill", { executionId }).catch(() => undefined);
    timer = clock.after(STOP_MS, () => letGo.abort());
  };
  const take: FollowOptions["onUpdate"] = (update) => {
    if (failure !== undefined) return;
    try {
      onUpdate?.(update);
    } catch (cause) {
      failure = { cause };
      stop();
    }
  };

  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  const ended = await followRemote(session, executionId, { onUpdate: take, runOnly: true }, letGo.signal);
  timer?.cancel();
  signal?.removeEventListener("abort", stop);
  if (letGo.signal.aborted) return failed(unconfirmed());
  return restate(ended, signal?.aborted === true, failure);
}

/** The host knows only that it was told to stop it. */
function restate(ended: Ended, isAborted: boolean, failure: { readonly cause: unknown } | undefined): Ended {
  if (ended.ok || ended.error.code !== "aborted" || ended.error.result === undefined) return ended;
  const { result } = ended.error;
  if (failure !== undefined) {
    const { cause } = failure;
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `the command was stopped because the receiver of its updates failed: ${why}`;
    return failed(new ExecError("internal", message, { result, cause }));
  }
  if (!isAborted) return ended;
  const seconds = (result.durationMs / 1_000).toFixed(1);
  return failed(new ExecError("aborted", `the command was stopped by its caller after ${seconds} s`, { result }));
}

function unconfirmed(): ExecError {
  return new ExecError(
    "link_lost",
    `the exec host did not confirm within ${STOP_MS / 1_000} s that the command was stopped; it is asked to as soon as it can be reached`,
  );
}
