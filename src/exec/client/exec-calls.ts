import type { Clock } from "../clock.js";
import type { ExecContext, ExecOptions, ExecutionEnv, ExecutionInfo, StartOptions } from "../contract.js";
import { ExecError } from "../errors.js";
import { executionInfo, executionPlan, inputState } from "../link/shapes.js";
import { failed } from "../result.js";
import { asExecError, coded } from "./coded.js";
import { followRemote } from "./follow-remote.js";
import type { Ended } from "./follow-remote.js";
import type { HostSession } from "./host-session.js";
import { createInputPlaces } from "./input-places.js";
import { toBase64 } from "./remote-files.js";
import { runRemote } from "./run-remote.js";

/** The calls of an env that begin, follow and feed executions. */
export interface ExecCalls {
  readonly env: Pick<ExecutionEnv, "attach" | "collect" | "exec" | "start" | "writeInput">;
  /** When the host knows which results are safe here, or soon. */
  collected(): Promise<void>;
  /** When every call that follows an execution has its result. */
  settled(): Promise<void>;
}

/** How long a client that leaves waits for the host to hear what was collected. */
const COLLECT_MS = 2_000;

export function createExecCalls(session: HostSession, clock: Clock): ExecCalls {
  const collecting = new Set<Promise<unknown>>();
  const following = new Set<Promise<Ended>>();
  const places = createInputPlaces();

  function collect(executionId: string): Promise<void> {
    const asked = session.request("collect", { executionId }).then(
      () => undefined,
      // One that is not known is collected, and one that cannot be reached is let go of in time.
      () => undefined,
    );
    collecting.add(asked);
    return asked.finally(() => collecting.delete(asked));
  }

  async function track(call: Promise<Ended>, keep: boolean | undefined): Promise<Ended> {
    following.add(call);
    const ended = await call.finally(() => following.delete(call));
    const id = (ended.ok ? ended.value : ended.error.result)?.executionId;
    const isOver = ended.ok || !STILL_THERE.has(ended.error.code);
    if (isOver && id !== undefined && keep !== true) collect(id).catch(() => undefined);
    return ended;
  }

  return {
    env: {
      exec: (command, options, context = {}) => track(exec(session, clock, command, options, context), options.keep),
      start: (command, options, context = {}) => coded(() => begin(session, command, options, context)),
      attach: (executionId, options, context = {}) =>
        track(followRemote(session, executionId, options, context.signal), options.keep),
      collect,
      writeInput: (executionId, bytes, options = {}) =>
        coded(async () => {
          const write = async (params: object): Promise<number> =>
            inputState(await session.request("writeInput", { executionId, ...params }), "the input").acceptedBytes;
          const { at } = options;
          const againAt = await places.take(executionId, bytes.length, () => write({ bytes: "" }));
          try {
            return { acceptedBytes: await write({ bytes: toBase64(bytes), at, againAt: at ?? againAt }) };
          } catch (error) {
            places.giveBack(executionId);
            throw error;
          }
        }),
    },
    async collected() {
      const waiting = Promise.all(collecting).then(() => undefined);
      await Promise.race([waiting, new Promise<void>((resolve) => clock.after(COLLECT_MS, resolve))]);
    },
    async settled() {
      await Promise.allSettled(following);
    },
  };
}

/** Ends of a call after which the execution may have a result that nobody has. */
const STILL_THERE: ReadonlySet<string> = new Set(["link_lost", "link_refused", "env_closed"]);

async function exec(
  session: HostSession,
  clock: Clock,
  command: string,
  options: ExecOptions,
  context: ExecContext,
): Promise<Ended> {
  let info: ExecutionInfo;
  try {
    info = await begin(session, command, options, context, true);
  } catch (error) {
    return failed(asExecError(error));
  }
  return runRemote(session, clock, info.executionId, options.onUpdate, context.signal);
}

/** Has an execution planned, the plan prepared, and then begun. @throws {ExecError} */
async function begin(
  session: HostSession,
  command: string,
  options: StartOptions,
  context: ExecContext,
  follows = false,
): Promise<ExecutionInfo> {
  refuseAborted(context.signal);
  const { cwd, inheritEnv, env, timeout, capture, input } = options;
  const { limits, spill, encoding } = capture ?? {};
  const wanted = { command, cwd, inheritEnv, env, timeout, limits, spill, encoding, input };
  const plan = executionPlan(await session.request("plan", wanted), "the plan");
  const { executionId } = plan;
  try {
    await context.prepared?.(plan);
    refuseAborted(context.signal);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    session.request("drop", { executionId, message: why }).catch(() => undefined);
    if (cause instanceof ExecError && cause.code === "aborted") throw cause;
    throw new ExecError("spawn_failed", `not started, because what had to be done before failed: ${why}`, { cause });
  }
  return executionInfo(await session.request("begin", { executionId, follows }), "the execution");
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ExecError("aborted", "aborted before the command was started");
}
