import type { AssistantEntry, Json, ToolCallId } from "../protocol/index.js";
import { runDirectCall } from "./call.js";
import type { DirectCall, RecoveredOperation } from "./contract.js";
import { makeCall } from "./entries.js";
import { HarnessError } from "./errors.js";
import type { OperationRun, Settlement } from "./operation-run.js";

/**
 * The calls of an operation that a program makes itself, without a model. They run side by side and have nothing to do with
 * each other; each may begin as long as one goes on, and the operation ends with the last of them.
 */
export class DirectCalls {
  /** How the operation ended. Rejects only where storage does. */
  readonly settled: Promise<Settlement>;
  readonly #run: OperationRun;
  readonly #accepted: Promise<void>;
  #open = 0;
  #isOver = false;
  #settlement: Settlement = { status: "completed" };
  #resolve: (settlement: Promise<Settlement>) => void = () => undefined;

  /** `accepted`: when the operation is stored, so that its calls can be. */
  constructor(run: OperationRun, accepted: Promise<void>) {
    this.#run = run;
    this.#accepted = accepted;
    this.settled = new Promise((resolve) => (this.#resolve = resolve));
  }

  /** Whether another call can join. */
  get isOpen(): boolean {
    return !this.#isOver && this.#run.stopped === undefined;
  }

  /** Counts as one of the calls until it is done. What it rejects with fails the operation. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#open += 1;
    try {
      return await work();
    } catch (error) {
      this.#run.fail(error);
      throw error;
    } finally {
      this.#open -= 1;
      if (this.#open === 0) this.#end();
    }
  }

  /** Stores the call, and then runs it: durable when the promise resolves. */
  begin(toolName: string, args: Json): Promise<DirectCall> {
    const run = this.#run;
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const entry = makeDirectEntry(run, toolName, args);
    const [part] = entry.message.content;
    const call = makeCall(run.runtime.newId("turn"), part);
    return new Promise((resolve, reject) => {
      const settled = this.hold(async () => {
        await this.#accepted;
        await run.store([entry], [{ type: "entry_added", entry }]);
        const done = runDirectCall(run, call, signal);
        const abort = (reason = "The call was stopped."): void => stop.abort(new HarnessError("aborted", reason));
        resolve({ toolCallId: call.toolCallId, operationId: run.id, abort, settled: done });
        return done;
      });
      settled.catch(reject);
    });
  }

  /** Counts what is taken up again of an earlier process as one of the calls. If any of it was lost, the operation says so. */
  async recover(takeUp: () => Promise<Settlement>): Promise<Pick<RecoveredOperation, "outcome" | "status" | "reason">> {
    const { status } = await this.hold(async () => (this.#settlement = await takeUp()));
    return { outcome: status === "completed" ? "resumed" : "interrupted", ...(await this.settled) };
  }

  #end(): void {
    this.#isOver = true;
    const settlement = this.#run.stopped ?? this.#settlement;
    this.#resolve(this.#accepted.then(() => this.#run.store([], [], settlement)).then(() => settlement));
  }
}

interface DirectEntry extends AssistantEntry {
  readonly message: { content: [call: DirectPart] };
}

interface DirectPart {
  readonly type: "toolCall";
  readonly toolCallId: ToolCallId;
  readonly name: string;
  input: string;
  args: Json;
}

/** Stored as a model's would be, so that whoever reads the session finds every call in its message. */
function makeDirectEntry({ id, runtime }: OperationRun, name: string, args: Json): DirectEntry {
  const part: DirectPart = {
    type: "toolCall",
    toolCallId: runtime.newId("call"),
    name,
    input: JSON.stringify(args),
    args,
  };
  return {
    type: "assistant",
    id: runtime.newId("entry"),
    operationId: id,
    at: runtime.clock.now(),
    message: { content: [part] },
    stopReason: "toolCalls",
  };
}
