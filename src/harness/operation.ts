import type { AssistantToolCall, Entry, ToolEntry, TurnId } from "../protocol/index.js";
import { pendingAssistantOutput } from "./addresses.js";
import { receiveAnswer } from "./answer.js";
import type { Answer } from "./answer.js";
import type { PendingMessage } from "./answer-output.js";
import { refuseStopped, runCall } from "./call.js";
import type { Limit } from "./call.js";
import { makeAssistantEntry, makeCall, makeMessageEnd } from "./entries.js";
import { ModelError } from "../models/index.js";
import { describeError, HarnessError } from "./errors.js";
import { isNearlyFull, summarize } from "./summary.js";
import { createLimit } from "./limit.js";
import type { OperationRun, Settlement } from "./operation-run.js";
import { callsOf } from "./request.js";

/**
 * The agent loop: asks the model, runs the calls of its answer, asks again, until an answer has no calls, a call says
 * that it was the last, or something stops the operation; then what follows up joins, if anything does. Rejects only where
 * storage does; the operation is then as unsettled as it is on disk. `earlier` is of an answer that a process which died was
 * receiving.
 */
export async function runOperation(run: OperationRun, earlier?: PendingMessage): Promise<Settlement> {
  for (let message = earlier; ; message = undefined) {
    const settlement = await runTurn(run, run.runtime.newId("turn"), message);
    if (settlement !== undefined) return settlement;
  }
}

/** Goes on with an operation all of whose calls have their results. */
export async function continueOperation(run: OperationRun, earlier?: PendingMessage): Promise<Settlement> {
  const settlement = settleStopped(run, earlier) ?? settleTerminated(lastResults(run));
  if (settlement !== undefined && (await run.store([], [], settlement))) return settlement;
  return runOperation(run, earlier);
}

/** An answer that had begun is ended first. */
function settleStopped(run: OperationRun, earlier: PendingMessage | undefined): Settlement | undefined {
  return earlier === undefined ? run.stopped : undefined;
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
async function runTurn(run: OperationRun, turnId: TurnId, earlier?: PendingMessage): Promise<Settlement | undefined> {
  const overrun = findOverrun(run);
  if (overrun !== undefined) return settle(run, overrun);
  await run.joinSteering();
  const answer = await receiveFittingAnswer(run, turnId, earlier);
  const calls = answer.message === undefined ? [] : callsOf({ message: answer.message.state });
  const broken = settleBroken(run, answer);
  if (calls.length === 0) {
    const settlement = broken ?? { status: "completed" };
    return (await storeAnswer(run, turnId, answer, settlement)) ? settlement : undefined;
  }
  await storeAnswer(run, turnId, answer);
  const entries =
    broken === undefined ? await runCalls(run, turnId, calls) : await refuseCalls(run, turnId, calls, broken);
  return settle(run, broken ?? run.stopped ?? settleTerminated(entries));
}

/** Asks the model, and sums up what was before where that is too much for it, or nearly. */
async function receiveFittingAnswer(run: OperationRun, turnId: TurnId, earlier?: PendingMessage): Promise<Answer> {
  const { keepAnswers } = run.runtime.limits;
  try {
    if (isNearlyFull(run)) await summarize(run, turnId, keepAnswers);
    for (let kept = keepAnswers; ; kept = Math.floor(kept / 2)) {
      const answer = await receiveAnswer(run, turnId, earlier);
      const { failure } = answer;
      const isTooLong = failure instanceof ModelError && failure.code === "context_too_long";
      if (!isTooLong || answer.message !== undefined || run.signal.aborted) return answer;
      while (kept >= 1 && !(await summarize(run, turnId, kept))) kept = Math.floor(kept / 2);
      if (kept < 1) return answer;
    }
  } catch (failure) {
    if (!isModelFailure(failure) && !run.signal.aborted) throw failure;
    return { stopReason: run.signal.aborted ? "aborted" : "error", failure };
  }
}

/** Of the summary; whatever else fails is storage. */
function isModelFailure(failure: unknown): boolean {
  return failure instanceof ModelError || (failure instanceof HarnessError && failure.code === "no_summary");
}

/** Stores an end that brings nothing with it; gives nothing where there is none, or something joined. */
async function settle(run: OperationRun, settlement: Settlement | undefined): Promise<Settlement | undefined> {
  return settlement !== undefined && (await run.store([], [], settlement)) ? settlement : undefined;
}

/** The limit holds over restarts: what is counted are the answers that are stored. */
function findOverrun({ id, feed, runtime }: OperationRun): Settlement | undefined {
  const { maxTurns } = runtime.limits;
  const isAnswer = (entry: Entry): boolean => entry.type === "assistant" && entry.operationId === id;
  const { transcript } = feed.view;
  if (transcript.length < maxTurns || transcript.filter(isAnswer).length < maxTurns) return undefined;
  return {
    status: "failed",
    reason: `The operation asked the model ${maxTurns} times, which is the limit (maxTurns); prompt again to go on.`,
  };
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

/** Stores what the model said, with the operation's end where nothing follows it. Gives whether it ended. */
async function storeAnswer(
  run: OperationRun,
  turnId: TurnId,
  answer: Answer,
  settlement?: Settlement,
): Promise<boolean> {
  const { message } = answer;
  if (message === undefined) return run.store([], [], settlement);
  const entry = makeAssistantEntry(run, message, answer.stopReason);
  const ends = await run.store([entry], [makeMessageEnd(turnId, message.id, entry)], settlement);
  if (ends) return true;
  const pending = pendingAssistantOutput(run.id, message.id);
  await run.runtime.storage.commit(pending.scope, (transaction) => transaction.clear(pending), { sync: "interval" });
  return false;
}

function runCalls(run: OperationRun, turnId: TurnId, parts: readonly AssistantToolCall[]): Promise<ToolEntry[]> {
  return runParallel(
    run,
    parts.map((part) => (limit) => runCall(run, makeCall(turnId, part), limit)),
  );
}

/** Works on calls, so many at a time. The first fault of storage stops the others, and they are waited for. */
export async function runParallel(
  run: OperationRun,
  calls: readonly ((limit: Limit) => Promise<ToolEntry>)[],
): Promise<ToolEntry[]> {
  const limit = createLimit(run.runtime.limits.maxParallelCalls);
  const outcomes = await Promise.allSettled(
    calls.map((call) =>
      call(limit).catch((error: unknown) => {
        if (!run.suspended) run.fail(error);
        throw error;
      }),
    ),
  );
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
}

/** Gives the calls of an answer that broke off a result each, for none may stay without. */
async function refuseCalls(
  run: OperationRun,
  turnId: TurnId,
  parts: readonly AssistantToolCall[],
  broken: Settlement,
): Promise<ToolEntry[]> {
  const entries: ToolEntry[] = [];
  for (const part of parts) entries.push(await refuseStopped(run, makeCall(turnId, part), broken.reason));
  return entries;
}
