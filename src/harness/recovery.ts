import type { ExecutionPlan, ProcessInfo } from "../exec/index.js";
import type { Entry, HarnessEvent, Json, ToolOutputState, TurnId } from "../protocol/index.js";
import { createToolOutput } from "../tools/index.js";
import { refuseStopped, runCall, takeUpCall } from "./call.js";
import type { RecoveredOperation } from "./contract.js";
import { findEarlier } from "./earlier-executions.js";
import { makeAssistantEntry, makeCall, makeMessageEnd, makeToolEnd, makeToolEntry } from "./entries.js";
import type { Call } from "./entries.js";
import { HarnessError } from "./errors.js";
import { executionsOf } from "./history.js";
import type { UnsettledCall, UnsettledOperation } from "./history.js";
import { BROKEN_ANSWER_REASON, describeInterruption, describeNotRun, INTERRUPTED_REASON } from "./notices.js";
import type { OperationRun, Settlement } from "./operation-run.js";
import { continueOperation, runParallel } from "./operation.js";
import { callsOf } from "./request.js";
import { findTool } from "./runtime.js";

/** An entry that ends something, and all that viewers are told of it once it is stored. */
interface Ending {
  readonly entry: Entry;
  readonly events: readonly HarnessEvent[];
}

type Recovery = Omit<RecoveredOperation, "operationId" | "laneId">;

/** A call without a result, and what is to become of it. */
interface LeftCall extends UnsettledCall {
  readonly fate: CallFate;
  /** What it began. */
  readonly executions: readonly ExecutionPlan[];
  /** What its env said of an execution that it does not have any more. */
  readonly loss: string | undefined;
}

/**
 * - `begin`: it never ran.
 * - `replay`: it may simply run again on the output that it had.
 * - `attach`: the same, and what it began goes on in its env, or waits there with its result.
 * - `settle`: it ends with what is stored of it.
 */
type CallFate = "begin" | "replay" | "attach" | "settle";

/**
 * Takes up an operation that an earlier process left, from durable state alone. It goes on to its own end: calls that never
 * began are begun, those that can be taken up or run again are, the others settle with what is stored of them, the model is
 * told, and an answer that broke off is asked for again. Where the harness is to settle what was interrupted, only an
 * operation that misses nothing goes on. A crash in here leaves an operation that the next recovery finds as this one did.
 */
export async function recoverOperation(run: OperationRun, unsettled: UnsettledOperation): Promise<Recovery> {
  const turnId = run.runtime.newId("turn");
  announceOperation(run);
  const calls = await Promise.all(unsettled.calls.map((call) => decideFate(run, call)));
  const message = unsettled.message ?? messageInView(run);
  const isSettling = run.runtime.recovery.afterInterruption === "settle";
  if (isSettling && !(message === undefined && canGoOn(calls))) {
    const settlement: Settlement = { status: "interrupted", reason: INTERRUPTED_REASON };
    await settleInterrupted(run, turnId, calls, message, settlement);
    return { outcome: "interrupted", ...settlement };
  }
  const broken = calls.length === 0 ? undefined : brokenAnswer(run);
  if (broken !== undefined) {
    for (const call of calls) await refuseStopped(run, toCall(turnId, call), broken.reason);
    await run.store([], [], broken);
    return { outcome: "interrupted", ...broken };
  }
  await endUncertain(run, turnId, calls);
  await takeUp(
    run,
    turnId,
    calls.filter(({ fate }) => fate !== "settle"),
  );
  return { outcome: "resumed", ...(await continueOperation(run, message)) };
}

/** Calls of an answer that broke off are not begun. */
function brokenAnswer({ id, feed }: OperationRun): Settlement | undefined {
  const answer = feed.view.transcript.findLast((entry) => entry.type === "assistant" && entry.operationId === id);
  if (answer?.type !== "assistant" || answer.stopReason === "end" || answer.stopReason === "toolCalls")
    return undefined;
  return { status: answer.stopReason === "aborted" ? "aborted" : "failed", reason: BROKEN_ANSWER_REASON };
}

/** Settles the calls whose effects may exist, each as soon as nothing of it runs any more. */
async function endUncertain(run: OperationRun, turnId: TurnId, calls: readonly LeftCall[]): Promise<void> {
  for (const call of calls.filter(({ fate }) => fate === "settle")) {
    const survivors = await stopExecutions(run, call);
    const { entry, events } = await endCall(run, turnId, call, survivors);
    await run.store([entry], events);
  }
}

/**
 * Takes up, or ends, what an earlier process left of calls that no model made: each by itself, and others may join meanwhile.
 */
export async function recoverDirectCalls(run: OperationRun, unsettled: UnsettledOperation): Promise<Settlement> {
  const turnId = run.runtime.newId("turn");
  announceOperation(run);
  const calls = await Promise.all(unsettled.calls.map((call) => decideFate(run, call)));
  const outcomes = await Promise.allSettled(calls.map((call) => recoverDirectCall(run, turnId, call)));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  if (calls.every(isTakenUp)) return { status: "completed" };
  return { status: "interrupted", reason: INTERRUPTED_REASON };
}

async function recoverDirectCall(run: OperationRun, turnId: TurnId, call: LeftCall): Promise<void> {
  if (isTakenUp(call)) return takeUp(run, turnId, [call]);
  const { entry, events } = await endCall(run, turnId, call, await stopExecutions(run, call));
  await run.store([entry], events);
}

function isTakenUp({ fate }: LeftCall): boolean {
  return fate === "attach" || fate === "replay";
}

async function settleInterrupted(
  run: OperationRun,
  turnId: TurnId,
  calls: readonly LeftCall[],
  message: UnsettledOperation["message"],
  settlement: Settlement,
): Promise<void> {
  const survivors = new Map<LeftCall, readonly ProcessInfo[]>();
  const ended = calls.filter((call) => !isTakenUp(call));
  await Promise.all(ended.map(async (call) => survivors.set(call, await stopExecutions(run, call))));
  await takeUp(run, turnId, calls.filter(isTakenUp));
  const endings = endMessage(run, turnId, message);
  for (const call of ended) endings.push(await endCall(run, turnId, call, survivors.get(call) ?? []));
  const entries = endings.map(({ entry }) => entry);
  const events = endings.flatMap(({ events }) => events);
  await run.store(entries, events, settlement);
}

async function decideFate(run: OperationRun, call: UnsettledCall): Promise<LeftCall> {
  const executions = executionsOf(call);
  const left = { ...call, executions, loss: undefined };
  if (call.output === undefined) return { ...left, fate: call.memos.size === 0 ? "begin" : "settle" };
  const replay = findTool(run.runtime, call.toolName)?.replay;
  if (replay === "safe") return { ...left, fate: "replay" };
  if (replay !== "attach") return { ...left, fate: "settle" };
  const { areThere, loss } = await findEarlier(run.runtime.env, executions);
  return { ...left, fate: areThere ? "attach" : "settle", loss };
}

/** Whether every call will have the result that it would have had without the interruption. */
function canGoOn(calls: readonly LeftCall[]): boolean {
  return (
    calls.some(({ fate, pendingApproval }) => fate === "attach" || pendingApproval !== undefined) &&
    calls.every(({ fate }) => fate !== "settle")
  );
}

async function takeUp(run: OperationRun, turnId: TurnId, calls: readonly LeftCall[]): Promise<void> {
  await runParallel(
    run,
    calls.map((call) => (limit) => {
      if (call.fate === "begin") return runCall(run, toCall(turnId, call), limit);
      const executions = call.fate === "attach" ? call.executions : undefined;
      return takeUpCall(run, toCall(turnId, call), { seed: call.output, executions }, limit);
    }),
  );
}

function announceOperation(run: OperationRun): void {
  const { operation } = run.feed.view;
  // After a failed write in this very process viewers know it as running.
  if (operation !== null && operation.abandoned !== true) return;
  run.feed.emit({ type: "operation_start", operationId: run.id, laneId: run.laneId });
}

/** Gives the processes that go on all the same. */
async function stopExecutions(run: OperationRun, { executions }: LeftCall): Promise<readonly ProcessInfo[]> {
  const { stopExecution } = run.runtime.recovery;
  if (stopExecution === undefined) return [];
  return (await Promise.all(executions.map((plan) => stopExecution(plan)))).flat();
}

async function endCall(
  run: OperationRun,
  turnId: TurnId,
  call: LeftCall,
  survivors: readonly ProcessInfo[],
): Promise<Ending> {
  const { loss, output: seed } = call;
  if (call.fate === "begin")
    return endWith(run, toCall(turnId, call), new HarnessError("interrupted", describeNotRun()));
  const spills = await measureSpills(run, call);
  const spillPath = spills.findLast(({ bytes }) => bytes !== undefined)?.path;
  const code = loss === undefined ? "interrupted" : "execution_lost";
  const error = new HarnessError(code, describeInterruption({ loss, spills, survivors }));
  return endWith(run, toCall(turnId, call), error, { seed, spillPath });
}

/** What there is of a call's output. */
interface Remains {
  readonly seed?: ToolOutputState | undefined;
  readonly spillPath?: string | undefined;
}

/** Folds what is stored into a fresh sink and says in its notice what happened. */
function endWith(run: OperationRun, call: Call, error: HarnessError, { seed, spillPath }: Remains = {}): Ending {
  const { feed, runtime } = run;
  const identity = { operationId: run.id, turnId: call.turnId, toolCallId: call.toolCallId };
  const events: HarnessEvent[] = [];
  const isAnnounced = feed.view.operation?.tools.some(({ id }) => id === call.toolCallId) ?? false;
  if (!isAnnounced) events.push({ type: "tool_start", ...identity, toolName: call.toolName, args: call.args });
  const sink = createToolOutput({
    limits: findTool(runtime, call.toolName)?.output ?? seed?.truncation,
    seed,
    spillPath,
    clock: runtime.clock,
    onBatch: (ops) => events.push({ type: "tool_update", ...identity, ops }),
  });
  sink.settle(error);
  const entry = makeToolEntry(run, call, { error, stopped: "interrupted" }, sink.snapshot());
  return { entry, events: [...events, makeToolEnd(call, entry)] };
}

/** An answer that broke off stays as far as it is stored; its calls never began, and each gets a result that says so. */
function endMessage(run: OperationRun, turnId: TurnId, message: UnsettledOperation["message"]): Ending[] {
  if (message === undefined) return [];
  const identity = { operationId: run.id, turnId, messageId: message.id };
  const events: HarnessEvent[] = [];
  const isAnnounced = run.feed.view.operation?.message !== undefined;
  if (!isAnnounced) events.push({ type: "message_start", ...identity, role: "assistant" });
  const state = structuredClone(message.state) as unknown as Json;
  const entry = makeAssistantEntry(run, message, "aborted");
  events.push({ type: "message_update", ...identity, ops: [["r", state]] }, makeMessageEnd(turnId, message.id, entry));
  const calls = callsOf(entry).map((part) => {
    return endWith(run, makeCall(turnId, part), new HarnessError("interrupted", describeNotRun()));
  });
  return [{ entry, events }, ...calls];
}

/** After a failed write in this very process, viewers may hold an answer of which nothing is stored. */
function messageInView(run: OperationRun): UnsettledOperation["message"] {
  const message = run.feed.view.operation?.message;
  return message?.state === undefined ? undefined : { id: message.id, state: structuredClone(message.state) };
}

/** Most outputs need no spill; one that is not there is worth a word only where the text was cut. */
async function measureSpills(run: OperationRun, call: LeftCall): Promise<{ path: string; bytes?: number }[]> {
  const { spillBytes } = run.runtime.recovery;
  const spills: { path: string; bytes?: number }[] = [];
  for (const { spillPath: path } of call.executions) {
    const bytes = path === undefined ? undefined : await spillBytes?.(path);
    if (path === undefined) continue;
    if (bytes !== undefined) spills.push({ path, bytes });
    else if (call.output?.truncation.truncated === true) spills.push({ path });
  }
  return spills;
}

function toCall(turnId: TurnId, call: UnsettledCall): Call {
  const { toolCallId, toolName, args, unparsed, changedArgs, approval } = call;
  return {
    turnId,
    toolCallId,
    toolName,
    args,
    ...(unparsed === undefined ? {} : { unparsed }),
    ...(changedArgs === undefined ? {} : { changedArgs }),
    ...(approval === undefined ? {} : { approval }),
  };
}
