import type { AssistantToolCall, ToolEntry, TurnId } from "../protocol/index.js";
import { pendingAssistantOutput } from "./addresses.js";
import { receiveAnswer } from "./answer.js";
import type { Answer } from "./answer.js";
import { refuseCall, runCall } from "./call.js";
import { makeAssistantEntry, makeCall, makeMessageEnd } from "./entries.js";
import type { Call } from "./entries.js";
import { describeError, HarnessError } from "./errors.js";
import type { OperationRun, Settlement } from "./operation-run.js";
import { callsOf } from "./request.js";

/**
 * The agent loop: asks the model, runs the calls of its answer, asks again, until an answer has no calls, a call says
 * that it was the last, or something stops the operation. Rejects only where storage does; the operation is then as
 * unsettled as it is on disk.
 */
export async function runOperation(run: OperationRun): Promise<Settlement> {
  for (;;) {
    const settlement = await runTurn(run, run.runtime.newId("turn"));
    if (settlement !== undefined) return settlement;
  }
}

/** Goes on with an operation all of whose calls have their results. */
export async function continueOperation(run: OperationRun): Promise<Settlement> {
  const settlement = run.stopped ?? settleTerminated(lastResults(run));
  if (settlement === undefined) return runOperation(run);
  await run.store([], [], settlement);
  return settlement;
}

/** What the calls of the last answer gave. */
function lastResults({ id, feed }: OperationRun): ToolEntry[] {
  const { transcript } = feed.view;
  const answer = transcript.findLastIndex(({ type }) => type === "assistant");
  return transcript
    .slice(answer + 1)
    .filter((entry): entry is ToolEntry => entry.type === "tool" && entry.operationId === id);
}

/** One request to the model and the calls of its answer; gives the settlement that it stored, if it was the last turn. */
async function runTurn(run: OperationRun, turnId: TurnId): Promise<Settlement | undefined> {
  const answer = await receiveAnswer(run, turnId);
  const calls = answer.message === undefined ? [] : callsOf({ message: answer.message.state });
  const broken = settleBroken(run, answer);
  if (calls.length === 0) {
    const settlement = broken ?? { status: "completed" };
    await storeAnswer(run, turnId, answer, settlement);
    return settlement;
  }
  await storeAnswer(run, turnId, answer);
  const entries =
    broken === undefined ? await runCalls(run, turnId, calls) : await refuseCalls(run, turnId, calls, broken);
  const settlement = broken ?? run.stopped ?? settleTerminated(entries);
  if (settlement !== undefined) await run.store([], [], settlement);
  return settlement;
}

/** How the operation ends if the answer is not one to go on from. */
function settleBroken(run: OperationRun, answer: Answer): Settlement | undefined {
  if (run.stopped !== undefined) return run.stopped;
  if (answer.failure !== undefined) return { status: "failed", reason: describeError(answer.failure) };
  if (answer.stopReason === "end" || answer.stopReason === "toolCalls") return undefined;
  const isCut = answer.stopReason === "maxTokens";
  const reason = `The model ${isCut ? "reached its limit of tokens" : "ended its answer"} before the answer was complete.`;
  return { status: "failed", reason };
}

function settleTerminated(entries: readonly ToolEntry[]): Settlement | undefined {
  return entries.some(({ output }) => output.terminate) ? { status: "completed" } : undefined;
}

/** Stores what the model said, with the operation's end where nothing follows it. */
async function storeAnswer(run: OperationRun, turnId: TurnId, answer: Answer, settlement?: Settlement): Promise<void> {
  const { message } = answer;
  if (message === undefined) return run.store([], [], settlement);
  const entry = makeAssistantEntry(run, message, answer.stopReason);
  await run.store([entry], [makeMessageEnd(turnId, message.id, entry)], settlement);
  if (settlement !== undefined) return;
  const pending = pendingAssistantOutput(run.id, message.id);
  await run.runtime.storage.commit(pending.scope, (transaction) => transaction.clear(pending), { sync: "interval" });
}

function runCalls(run: OperationRun, turnId: TurnId, parts: readonly AssistantToolCall[]): Promise<ToolEntry[]> {
  return runParallel(
    run,
    parts.map((part) => {
      const call = makeCall(turnId, part);
      return () => (run.signal.aborted ? refuse(run, call, run.stopped?.reason) : runCall(run, call));
    }),
  );
}

/** Works on calls, so many at a time. The first fault of storage stops the others, and they are waited for. */
export async function runParallel(
  run: OperationRun,
  calls: readonly (() => Promise<ToolEntry>)[],
): Promise<ToolEntry[]> {
  const waiting = [...calls];
  const entries: ToolEntry[] = [];
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) entries.push(await call());
  };
  const workers = Array.from({ length: Math.min(run.runtime.maxParallelCalls, waiting.length) }, () =>
    work().catch((error: unknown) => {
      waiting.length = 0;
      run.fail(error);
      throw error;
    }),
  );
  const outcomes = await Promise.allSettled(workers);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return entries;
}

/** Gives the calls of an answer that broke off a result each, for none may stay without. */
async function refuseCalls(
  run: OperationRun,
  turnId: TurnId,
  parts: readonly AssistantToolCall[],
  broken: Settlement,
): Promise<ToolEntry[]> {
  const entries: ToolEntry[] = [];
  for (const part of parts) entries.push(await refuse(run, makeCall(turnId, part), broken.reason));
  return entries;
}

function refuse(run: OperationRun, call: Call, why: string | undefined): Promise<ToolEntry> {
  const error = new HarnessError("not_run", `The call was not run: ${why ?? "the answer broke off"}`);
  return refuseCall(run, call, { error, ...(run.signal.aborted ? { stopped: "aborted" } : {}) });
}
