import { ModelError } from "../models/index.js";
import type { ModelPart, ModelRequest } from "../models/index.js";
import type { RetryState, StopReason, TurnId } from "../protocol/index.js";
import { AnswerOutput } from "./answer-output.js";
import type { PendingMessage } from "./answer-output.js";
import { describeError } from "./errors.js";
import { streamModel } from "./model-stream.js";
import type { OperationRun } from "./operation-run.js";
import { buildRequest } from "./request.js";
import { planRetry } from "./retry.js";
import { waitFor } from "./until.js";

/** What the model said to one request. Nothing of it is in the main log yet. */
export interface Answer {
  readonly stopReason: StopReason;
  /** What the model threw. */
  readonly failure?: unknown;
  /** Absent where the model failed, or was stopped, before it said anything. */
  readonly message?: PendingMessage;
}

/**
 * Asks the model and follows its answer to the end, or to where it fails for good or the operation is stopped. `earlier` is
 * what a process that died had received of the same answer.
 */
export async function receiveAnswer(run: OperationRun, turnId: TurnId, earlier?: PendingMessage): Promise<Answer> {
  const output = new AnswerOutput(run, turnId, earlier);
  const request = buildRequest(run.runtime, run.feed.view.transcript);
  const outcome = await askModel(run, turnId, request, {
    begin: () => output.beginTry(),
    take: (part) => output.take(part),
  }).then(
    (stopReason): Answer => ({ stopReason }),
    (failure: unknown): Answer => ({ stopReason: run.signal.aborted ? "aborted" : "error", failure }),
  );
  return output.begun ? { ...outcome, message: await output.end() } : outcome;
}

/** Where the parts of each try go. */
export interface Receiver {
  begin(): void;
  take(part: ModelPart): void;
}

/** Asks until there is an answer, the failure is one that stays, or the tries are used up. Throws what failed last. */
export async function askModel(
  run: OperationRun,
  turnId: TurnId,
  request: ModelRequest,
  receiver: Receiver,
): Promise<StopReason> {
  const { model, clock, limits, random } = run.runtime;
  const options = { signal: run.signal, clock, stallMs: limits.stallMs };
  for (let failures = 1; ; failures += 1) {
    receiver.begin();
    try {
      return await streamModel(model, request, (part) => receiver.take(part), options);
    } catch (failure) {
      run.signal.throwIfAborted();
      const plan = planRetry(failure, failures, limits, random());
      if (plan === undefined) throw failure;
      if ("giveUp" in plan) throw new ModelError(codeOf(failure), plan.giveUp, { cause: failure });
      const retry: RetryState = {
        failures,
        maxAttempts: limits.maxAttempts,
        at: clock.now() + plan.delayMs,
        code: codeOf(failure),
        reason: describeError(failure),
      };
      run.feed.emit({ type: "model_retry", operationId: run.id, turnId, retry });
      await waitFor(plan.delayMs, clock, run.signal);
    }
  }
}

function codeOf(failure: unknown): ModelError["code"] {
  return failure instanceof ModelError ? failure.code : "bad_response";
}
