import { appendText, track } from "../delta/index.js";
import { DEFAULT_MAX_BYTES, Publisher } from "../exec/index.js";
import type { ModelPart } from "../models/index.js";
import { ModelError } from "../models/index.js";
import { addUsage } from "../protocol/index.js";
import type { AssistantState, AssistantToolCall, Json, MessageId, StopReason, TurnId } from "../protocol/index.js";
import { pendingAssistantOutput } from "./addresses.js";
import { Journal } from "./journal.js";
import type { OperationRun } from "./operation-run.js";
import { buildRequest } from "./request.js";
import { untilAborted } from "./until.js";

/** What the model said to one request. Nothing of it is in the main log yet. */
export interface Answer {
  readonly stopReason: StopReason;
  /** What the model threw. */
  readonly failure?: unknown;
  /** Absent where the model failed, or was stopped, before it said anything. */
  readonly message?: { readonly id: MessageId; readonly state: AssistantState };
}

/** Asks the model and follows its answer to the end, or to where it fails or the operation is stopped. */
export async function receiveAnswer(run: OperationRun, turnId: TurnId): Promise<Answer> {
  const output = new AnswerOutput(run, turnId);
  const outcome = await receiveParts(run, output).then(
    (stopReason): Answer => ({ stopReason }),
    (failure: unknown): Answer => ({ stopReason: run.signal.aborted ? "aborted" : "error", failure }),
  );
  return output.begun ? { ...outcome, message: await output.end() } : outcome;
}

async function receiveParts(run: OperationRun, output: AnswerOutput): Promise<StopReason> {
  run.signal.throwIfAborted();
  const request = buildRequest(run.runtime, run.feed.view.transcript);
  const parts = run.runtime.model.stream(request, run.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(parts.next(), run.signal);
      if (next.done === true) throw new ModelError("bad_response", "The model's answer ended without a finish.");
      output.take(next.value);
      if (next.value.type === "finish") return next.value.reason;
    }
  } finally {
    // Not awaited: a model that does not heed its signal must not hold the operation.
    parts.return?.().catch(() => undefined);
  }
}

/** An answer as tracked state: the same updates, the same stored list and the same recovery as a tool's output. */
class AnswerOutput {
  readonly #run: OperationRun;
  readonly #turnId: TurnId;
  readonly #messageId: MessageId;
  readonly #tracker = track<AssistantState>({ content: [] });
  readonly #journal: Journal;
  readonly #publisher: Publisher;
  /** Where in the content each call of this answer is. */
  readonly #calls = new Map<number, number>();
  #begun = false;

  constructor(run: OperationRun, turnId: TurnId) {
    const { storage, durability, clock, counters, newId } = run.runtime;
    this.#run = run;
    this.#turnId = turnId;
    this.#messageId = newId("msg");
    this.#publisher = new Publisher(clock, () => this.#flush());
    this.#journal = new Journal({
      storage,
      address: pendingAssistantOutput(run.id, this.#messageId),
      source: { flush: () => void this.#flush(), snapshot: () => this.#tracker.snapshot() },
      capBytes: DEFAULT_MAX_BYTES,
      durability,
      clock,
      counters: counters.messages,
      onFailure: (error) => run.fail(error),
    });
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** The model's first word begins the message, not the request: an attempt that fails at once leaves nothing. */
  take(part: ModelPart): void {
    this.#run.feed.together(() => {
      if (!this.#begun) this.#run.feed.emit({ type: "message_start", ...this.#identity(), role: "assistant" });
      this.#begun = true;
      takePart(this.#tracker.state, part, this.#calls, () => this.#run.runtime.newId("call"));
      this.#publisher.touch();
    });
  }

  async end(): Promise<{ id: MessageId; state: AssistantState }> {
    this.#publisher.flush();
    this.#publisher.stop();
    await this.#journal.end();
    return { id: this.#messageId, state: this.#tracker.snapshot() };
  }

  #flush(): number {
    const ops = this.#tracker.flush();
    if (ops.length === 0) return 0;
    this.#run.feed.emit({ type: "message_update", ...this.#identity(), ops });
    return this.#journal.push(ops);
  }

  #identity(): { operationId: string; turnId: string; messageId: string } {
    return { operationId: this.#run.id, turnId: this.#turnId, messageId: this.#messageId };
  }
}

function takePart(state: AssistantState, part: ModelPart, calls: Map<number, number>, newCallId: () => string): void {
  switch (part.type) {
    case "text":
    case "thinking": {
      const last = state.content.at(-1);
      if (last?.type === part.type && last.providerData === undefined) appendText(last, "text", part.text);
      else state.content.push({ type: part.type, text: part.text });
      return;
    }
    case "providerData": {
      const last = state.content.at(-1);
      if (last === undefined)
        throw new ModelError("bad_response", "The model gave data for a text that it did not begin.");
      last.providerData = part.providerData;
      return;
    }
    case "toolCallStart": {
      const { name, providerCallId } = part;
      calls.set(part.call, state.content.length);
      state.content.push({
        type: "toolCall",
        toolCallId: newCallId(),
        name,
        input: "",
        ...(providerCallId === undefined ? {} : { providerCallId }),
      });
      return;
    }
    case "toolCallInput":
      appendText(findCall(state, calls, part.call), "input", part.text);
      return;
    case "toolCallEnd": {
      const call = findCall(state, calls, part.call);
      parseInput(call);
      if (part.providerData !== undefined) call.providerData = part.providerData;
      return;
    }
    case "usage":
      state.usage = addUsage(state.usage ?? {}, part.usage);
      return;
    case "finish":
      return;
  }
}

function findCall(state: AssistantState, calls: Map<number, number>, call: number): AssistantToolCall {
  const part = state.content[calls.get(call) ?? -1];
  if (part?.type === "toolCall") return part;
  throw new ModelError("bad_response", `The model gave input for call ${call}, which it did not start.`);
}

/** A text that parses is kept as `args` alone; one that does not stays as it is and becomes the call's error. */
function parseInput(call: AssistantToolCall): void {
  try {
    call.args = JSON.parse(call.input === "" ? "{}" : call.input) as Json;
    call.input = "";
  } catch {
    delete call.args;
  }
}
