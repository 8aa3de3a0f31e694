import type { ExecutionEnv, ExecutionPlan } from "../exec/index.js";
import type { ToolEntry, ToolOutputState } from "../protocol/index.js";
import { bindEnv } from "../tools/index.js";
import type { AgentHarnessTool, EnvBinding, ExecutionToolContext } from "../tools/index.js";
import { executionMemo } from "./addresses.js";
import { CallOutput } from "./call-output.js";
import type { Call, CallEnd } from "./entries.js";
import { describeError, HarnessError } from "./errors.js";
import type { OperationRun } from "./operation-run.js";
import { decideCall, readArguments, readPermitted } from "./permission/permit.js";
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

/** Begins work when there is room for it. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Runs one call of the model, from the decision about it to its entry. Nothing of the tool's makes it reject: what the tool
 * throws, and a call that is not run, is a failed result. It rejects only where storage does, or is left to the next process.
 * A call that waits for an approval takes no room from the others.
 */
export async function runCall(run: OperationRun, call: Call, limit: Limit): Promise<ToolEntry> {
  if (run.signal.aborted) return refuseStopped(run, call);
  const tool = findOffered(run, call);
  const decided = await run.busyWith(() => decideCall(run, call, tool));
  return limit(() =>
    run.busyWith(() => {
      if (run.signal.aborted) return refuseStopped(run, decided.call);
      if ("error" in decided) return refuseCall(run, decided.call, { error: decided.error });
      return executeCall(run, decided.call, tool, { params: () => Promise.resolve(decided.params) });
    }),
  );
}

/** Runs a call again that an earlier process had begun. */
export function takeUpCall(run: OperationRun, call: Call, earlier: EarlierRun, limit: Limit): Promise<ToolEntry> {
  const tool = findOffered(run, call);
  const params = async (): Promise<unknown> => (tool === undefined ? undefined : readPermitted(tool, call));
  return limit(() => run.busyWith(() => executeCall(run, call, tool, { params, earlier })));
}

/** Runs a call that a program makes itself, which permits it by that. `signal` stops it alone, or aborts with the operation's. */
export function runDirectCall(run: OperationRun, call: Call, signal: AbortSignal): Promise<ToolEntry> {
  const tool = findOffered(run, call);
  const params = (): Promise<unknown> => readArguments(run, call, tool);
  return run.busyWith(() => executeCall(run, call, tool, { params, signal }));
}

function findOffered(run: OperationRun, { toolName }: Call): AgentHarnessTool | undefined {
  return offeredTools(run.runtime, run.feed.view.transcript).find(({ tool }) => tool.name === toolName)?.tool;
}

interface CallRun {
  /** What the tool is given. A rejection is the call's failed result. */
  readonly params: () => Promise<unknown>;
  readonly earlier?: EarlierRun;
  /** Default the operation's. */
  readonly signal?: AbortSignal;
}

async function executeCall(
  run: OperationRun,
  call: Call,
  tool: AgentHarnessTool | undefined,
  { params, earlier = {}, signal = run.signal }: CallRun,
): Promise<ToolEntry> {
  const output = new CallOutput(run, call, tool?.output, earlier.seed);
  const results = keepResults(run.runtime.env);
  await output.start();
  const binding = { earlier: earlier.executions, onKept: results.add, signal };
  const entry = await output.settle(await runTool(run, call, tool, params, output, binding));
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

/** Gives a call that is not run, because the operation was stopped, its result. */
export function refuseStopped(run: OperationRun, call: Call, why = run.stopped?.reason): Promise<ToolEntry> {
  const error = new HarnessError("not_run", `The call was not run: ${why ?? "the answer broke off"}`);
  return refuseCall(run, call, { error, ...(run.signal.aborted ? { stopped: "aborted" } : {}) });
}

type CallBinding = Pick<EnvBinding, "earlier" | "onKept" | "signal">;

async function runTool(
  run: OperationRun,
  call: Call,
  tool: AgentHarnessTool | undefined,
  readParams: () => Promise<unknown>,
  output: CallOutput,
  binding: CallBinding,
): Promise<CallEnd> {
  const { earlier, signal } = binding;
  const context = makeContext(run, call, output, binding);
  try {
    const params = await readParams();
    if (tool === undefined) throw new HarnessError("unknown_tool", `There is no tool "${call.toolName}" any more.`);
    // What goes on in the env is taken up all the same: it has to be stopped there, and its output is to be had.
    if (earlier === undefined) signal.throwIfAborted();
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

function describeOverrun(signal: AbortSignal, tool: AgentHarnessTool): string {
  const why = describeError(signal.reason);
  return `${why}; ${tool.name} had not stopped ${ABORT_GRACE_MS} ms later and may still be at work.`;
}
