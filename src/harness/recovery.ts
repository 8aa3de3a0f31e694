import type { ProcessInfo } from "../exec/index.js";
import type { Entry, HarnessEvent, Json, ToolOutputState, TurnId } from "../protocol/index.js";
import { createToolOutput } from "../tools/index.js";
import { runCall } from "./call.js";
import { makeAssistantEntry, makeCall, makeMessageEnd, makeToolEnd, makeToolEntry } from "./entries.js";
import type { Call } from "./entries.js";
import { HarnessError } from "./errors.js";
import { executionsOf } from "./history.js";
import type { UnsettledCall, UnsettledOperation } from "./history.js";
import { describeInterruption, describeNotRun, INTERRUPTED_REASON } from "./notices.js";
import type { OperationRun } from "./operation-run.js";
import { callsOf } from "./request.js";
import { findTool } from "./runtime.js";

/** An entry that ends something, and all that viewers are told of it once it is stored. */
interface Ending {
  readonly entry: Entry;
  readonly events: readonly HarnessEvent[];
}

/**
 * Settles an operation that an earlier process left: calls of tools that may simply run again do so, on the output that
 * they had; all else is settled with what is stored of it. The end is one transaction, so a crash in here leaves an
 * operation that the next recovery finds as this one did.
 */
export async function settleInterrupted(run: OperationRun, unsettled: UnsettledOperation): Promise<void> {
  const turnId = run.runtime.newId("turn");
  announceOperation(run);
  const survivors = new Map<UnsettledCall, readonly ProcessInfo[]>();
  await Promise.all(unsettled.calls.map(async (call) => survivors.set(call, await stopExecutions(run, call))));
  const endings = endMessage(run, turnId, unsettled.message ?? messageInView(run));
  for (const call of unsettled.calls) {
    if (isReplayable(run, call)) await runCall(run, toCall(turnId, call), call.output);
    else endings.push(await endCall(run, turnId, call, survivors.get(call) ?? []));
  }
  const entries = endings.map(({ entry }) => entry);
  const events = endings.flatMap(({ events }) => events);
  await run.store(entries, events, { status: "interrupted", reason: INTERRUPTED_REASON });
}

function announceOperation(run: OperationRun): void {
  const { operation } = run.feed.view;
  // After a failed write in this very process viewers know it as running.
  if (operation !== null && operation.abandoned !== true) return;
  run.feed.emit({ type: "operation_start", operationId: run.id, laneId: run.laneId });
}

/** Gives the processes that go on all the same. */
async function stopExecutions(run: OperationRun, call: UnsettledCall): Promise<readonly ProcessInfo[]> {
  const { stopExecution } = run.runtime.recovery;
  if (stopExecution === undefined) return [];
  return (await Promise.all(executionsOf(call).map((plan) => stopExecution(plan)))).flat();
}

/** Only a call that was started: what never began is not begun in an operation that ends. */
function isReplayable(run: OperationRun, call: UnsettledCall): boolean {
  return call.output !== undefined && findTool(run.runtime, call.toolName)?.replay === "safe";
}

async function endCall(
  run: OperationRun,
  turnId: TurnId,
  call: UnsettledCall,
  survivors: readonly ProcessInfo[],
): Promise<Ending> {
  if (call.output === undefined && call.memos.size === 0) return endWith(run, toCall(turnId, call), describeNotRun());
  const spills = await measureSpills(run, call);
  const spillPath = spills.findLast(({ bytes }) => bytes !== undefined)?.path;
  const statement = describeInterruption(spills, survivors);
  return endWith(run, toCall(turnId, call), statement, { seed: call.output, spillPath });
}

/** What there is of a call's output. */
interface Remains {
  readonly seed?: ToolOutputState | undefined;
  readonly spillPath?: string | undefined;
}

/** Folds what is stored into a fresh sink and says in its notice what happened. */
function endWith(run: OperationRun, call: Call, statement: string, { seed, spillPath }: Remains = {}): Ending {
  const { feed, runtime } = run;
  const identity = { operationId: run.id, turnId: call.turnId, toolCallId: call.toolCallId };
  const error = new HarnessError("interrupted", statement);
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
  const calls = callsOf(entry).map((part) => endWith(run, makeCall(turnId, part), describeNotRun()));
  return [{ entry, events }, ...calls];
}

/** After a failed write in this very process, viewers may hold an answer of which nothing is stored. */
function messageInView(run: OperationRun): UnsettledOperation["message"] {
  const message = run.feed.view.operation?.message;
  return message?.state === undefined ? undefined : { id: message.id, state: structuredClone(message.state) };
}

/** Most outputs need no spill; one that is not there is worth a word only where the text was cut. */
async function measureSpills(run: OperationRun, call: UnsettledCall): Promise<{ path: string; bytes?: number }[]> {
  const { spillBytes } = run.runtime.recovery;
  const spills: { path: string; bytes?: number }[] = [];
  for (const { spillPath: path } of executionsOf(call)) {
    const bytes = path === undefined ? undefined : await spillBytes?.(path);
    if (path === undefined) continue;
    if (bytes !== undefined) spills.push({ path, bytes });
    else if (call.output?.truncation.truncated === true) spills.push({ path });
  }
  return spills;
}

function toCall(turnId: TurnId, { toolCallId, toolName, args }: UnsettledCall): Call {
  return { turnId, toolCallId, toolName, args };
}
