import { join } from "node:path";
import type { ExecContext, ExecutionEnv, ExecutionPlan, FollowOptions, StartOptions } from "../contract.js";
import { ExecError } from "../errors.js";
import { failed, ok } from "../result.js";
import type { Result } from "../result.js";
import { attachTo } from "./attach.js";
import { createExecutionId } from "./execution-id.js";
import { Execution } from "./execution.js";
import { createKnownExecutions } from "./known-executions.js";
import type { KnownExecutions } from "./known-executions.js";
import { findFolderFault } from "./launch-shell.js";
import type { LocalParts } from "./parts.js";
import type { CommandInput } from "./pipes/command-input.js";
import { checkStart } from "./start-request.js";

/** Starts executions and knows them until nothing of them is left and their result was collected. */
export function createExecutions(cwd: string, parts: LocalParts): Omit<ExecutionEnv, "cwd" | "files"> {
  const known = createKnownExecutions(parts.clock);
  let closing: Promise<void> | undefined;

  function refuse(signal: AbortSignal | undefined): void {
    if (closing !== undefined) throw new ExecError("env_closed", "the env was closed; make a new one");
    if (signal?.aborted === true) throw new ExecError("aborted", "aborted before the command was started");
  }

  async function begin(
    command: string,
    options: StartOptions & FollowOptions,
    context: ExecContext,
  ): Promise<Execution> {
    const request = checkStart(command, options, cwd);
    refuse(context.signal);
    // What a sandbox has there is not known before it is made.
    const folderFault = parts.sandbox === undefined ? findFolderFault(request.cwd) : undefined;
    if (folderFault !== undefined) throw new ExecError("spawn_failed", folderFault);
    const plan = planExecution(request.spill, parts);
    const execution = new Execution(request, plan, parts);
    if (options.onUpdate !== undefined) execution.follow(options.onUpdate, (cause) => execution.fail(cause));
    await prepare(plan, context);
    refuse(context.signal);
    await known.add(execution);
    return execution;
  }

  return {
    exec: (command, options, context = {}) =>
      coded(async () => {
        const execution = await begin(command, options, context);
        const abort = (): void => execution.interrupt({ kind: "aborted" });
        context.signal?.addEventListener("abort", abort, { once: true });
        if (context.signal?.aborted === true) abort();
        const outcome = await execution.outcome;
        context.signal?.removeEventListener("abort", abort);
        if (options.keep !== true) known.collect(execution);
        return outcome;
      }),

    start: (command, options, context = {}) =>
      coded(async () => ok(await (await begin(command, options, context)).describe())),

    attach: (executionId, options, context = {}) =>
      coded(async () => {
        refuse(context.signal);
        const execution = known.get(executionId);
        const stopWatching = execution.watchLeft();
        const stream = options.runOnly === true ? execution.runStream : execution.stream;
        const { outcome, complete } = await attachTo(stream, options.onUpdate ?? ignore, context.signal);
        stopWatching();
        if (complete && options.keep !== true) known.collect(execution);
        return outcome;
      }),

    ...createControls(known, () => refuse(undefined)),

    close() {
      closing ??= known.endAll({ kind: "closed" }).then(() => parts.fifos.close());
      return closing;
    },
  };
}

/** What is done to an execution by its id. */
function createControls(
  known: KnownExecutions,
  refuse: () => void,
): Pick<ExecutionEnv, "collect" | "kill" | "list" | "writeInput" | "endInput"> {
  return {
    async collect(executionId) {
      known.collectId(executionId);
    },

    writeInput: (executionId, bytes, options = {}) =>
      coded(async () => {
        refuse();
        return ok(await inputOf(known.get(executionId)).write(bytes, options.at));
      }),

    endInput: (executionId) =>
      coded(async () => {
        refuse();
        return ok(inputOf(known.get(executionId)).end());
      }),

    list: () => known.list(),

    kill: (executionId) =>
      coded(async () => {
        refuse();
        const survivors = await known.get(executionId).end({ kind: "killed" });
        return ok({ executionId, survivors });
      }),
  };
}

/** @throws {ExecError} `invalid_argument` where a spill was asked for and there is no place for it. */
function planExecution(spill: boolean, { random, idPrefix, spillFolder }: LocalParts): ExecutionPlan {
  const executionId = createExecutionId(random, idPrefix);
  if (!spill) return { executionId, marker: executionId };
  if (spillFolder === undefined) {
    throw new ExecError("invalid_argument", "capture.spill needs an env that was made with a spillFolder");
  }
  return { executionId, marker: executionId, spillPath: join(spillFolder, `${executionId}.log`) };
}

/** @throws {ExecError} `invalid_argument` where it was started without. */
function inputOf({ plan, input }: Execution): CommandInput {
  if (input !== undefined) return input;
  throw new ExecError(
    "invalid_argument",
    `the execution ${plan.executionId} reads nothing; start it with input: "open"`,
  );
}

async function prepare(plan: ExecutionPlan, context: ExecContext): Promise<void> {
  try {
    await context.prepared?.(plan);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ExecError("spawn_failed", `not started, because what had to be done before failed: ${why}`, { cause });
  }
}

async function coded<T>(work: () => Promise<Result<T, ExecError>>): Promise<Result<T, ExecError>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExecError) return failed(error);
    const message = `the env failed: ${error instanceof Error ? error.message : String(error)}`;
    return failed(new ExecError("internal", message, { cause: error }));
  }
}

function ignore(): void {
  // An attached caller that only waits for the result.
}
