import type { ExecutionEnv, ExecutionPlan } from "../exec/index.js";
import type { ToolEntry, ToolOutputState } from "../protocol/index.js";
import { bindEnv, validateParameters } from "../tools/index.js";
import type { AgentHarnessTool, EnvBinding, ExecutionToolContext } from "../tools/index.js";
import { executionMemo } from "./addresses.js";
import { CallOutput } from "./call-output.js";
import type { Call, CallEnd } from "./entries.js";
import { describeError, HarnessError } from "./errors.js";
import type { OperationRun } from "./operation-run.js";
import { offeredTools } from "./request.js";
import { withinGrace } from "./until.js";

/** How long a call may go on after an abort; with what storing its end takes it stays under the 3 s of H6. */
export const ABORT_GRACE_MS = 2_800;

/** What an earlier run of a call left. */
export interface EarlierRun {
  /** Its output. */
  readonly seed?: ToolOutputState | undefined;
  /** The executions that it began and that its env still has, by their place. */
  readonly executions?: readonly ExecutionPlan[] | undefined;
}

/**
 * Runs one call of the model to its entry. Nothing of the tool's makes it reject: what the tool throws, and a call that
 * no tool can take, is a failed result. It rejects only where storage does. `signal` stops this call alone, or aborts with
 * the operation's.
 */
export async function runCall(
  run: OperationRun,
  call: Call,
  earlier: EarlierRun = {},
  signal: AbortSignal = run.signal,
): Promise<ToolEntry> {
  const tool = offeredTools(run.runtime, run.feed.view.transcript).find(
    ({ tool }) => tool.name === call.toolName,
  )?.tool;
  const output = new CallOutput(run, call, tool?.output, earlier.seed);
  const results = keepResults(run.runtime.env);
  await output.start();
  const entry = await output.settle(
    await executeCall(run, call, tool, output, { earlier, signal, onKept: results.add }),
  );
  results.release();
  return entry;
}

/** Results that stay in the env until the call is stored, so that whoever comes after a crash finds them there. */
function keepResults(env: ExecutionEnv): { readonly add: (executionId: string) => void; readonly release: () => void } {
  const kept: string[] = [];
  let isStored = false;
  // Where the env cannot be reached, it lets go of a result in time.
  const collect = (executionId: string): void => void env.collect(executionId).catch(() => undefined);
  return {
    add(executionId) {
      if (isStored) collect(executionId);
      else kept.push(executionId);
    },
    release() {
      isStored = true;
      kept.forEach(collect);
    },
  };
}

/** Gives a call that is not run its failed result. */
export function refuseCall(run: OperationRun, call: Call, end: CallEnd): Promise<ToolEntry> {
  return new CallOutput(run, call, undefined).refuse(end);
}

interface CallRun extends Pick<EnvBinding, "signal" | "onKept"> {
  readonly earlier: EarlierRun;
}

async function executeCall(
  run: OperationRun,
  call: Call,
  tool: AgentHarnessTool | undefined,
  output: CallOutput,
  { earlier, signal, onKept }: CallRun,
): Promise<CallEnd> {
  const context = makeContext(run, call, output, { earlier: earlier.executions, onKept, signal });
  try {
    if (tool === undefined) throw unknownTool(run, call);
    const params = await validateArguments(tool, call);
    // What goes on in the env is taken up all the same: it has to be stopped there, and its output is to be had.
    if (earlier.executions === undefined) signal.throwIfAborted();
    await withinGrace(execute(call, tool, params, output, context), {
      signal,
      clock: run.runtime.clock,
      graceMs: ABORT_GRACE_MS,
      expired: () => new HarnessError("did_not_stop", describeOverrun(signal, tool)),
    });
    return {};
  } catch (thrown) {
    // A tool may throw anything, `undefined` too, and an end without an error would be a success.
    const error = thrown ?? new HarnessError("tool_failed", "The tool failed and did not say why.");
    return { error, ...(signal.aborted ? { stopped: "aborted" } : {}) };
  }
}

// Async, so that a tool that throws before its first await rejects like any other.
async function execute(
  call: Call,
  tool: AgentHarnessTool,
  params: unknown,
  output: CallOutput,
  context: ExecutionToolContext,
): Promise<void> {
  await tool.execute(call.toolCallId, params, context.signal, output.sink.out, context);
}

function makeContext(
  run: OperationRun,
  call: Call,
  output: CallOutput,
  binding: Pick<EnvBinding, "earlier" | "onKept" | "signal">,
): ExecutionToolContext {
  const prepared = (plan: ExecutionPlan, place: number): Promise<void> =>
    output.note(executionMemo(plan.executionId), { ...plan, place });
  return {
    env: bindEnv(run.runtime.env, output.sink, { ...binding, prepared }),
    signal: binding.signal,
    operationId: run.id,
    toolCallId: call.toolCallId,
    memo: (name, compute) => output.memo(name, compute),
  };
}

async function validateArguments(tool: AgentHarnessTool, call: Call): Promise<unknown> {
  if (call.unparsed === true) {
    throw new HarnessError(
      "invalid_arguments",
      `The arguments of ${call.toolName} are not valid JSON; state them anew.`,
    );
  }
  return validateParameters(tool, call.args);
}

function unknownTool(run: OperationRun, call: Call): HarnessError {
  const names = offeredTools(run.runtime, run.feed.view.transcript).map(({ tool }) => tool.name);
  const known = names.length === 0 ? "There are none." : `There are: ${names.join(", ")}.`;
  return new HarnessError("unknown_tool", `There is no tool "${call.toolName}". ${known}`);
}

function describeOverrun(signal: AbortSignal, tool: AgentHarnessTool): string {
  const why = describeError(signal.reason);
  return `${why}; ${tool.name} had not stopped ${ABORT_GRACE_MS} ms later and may still be at work.`;
}
