import { track } from "../delta/index.js";
import type { Tracker } from "../delta/index.js";
import { DEFAULT_MAX_BYTES, Publisher } from "../exec/index.js";
import type { ModelPart } from "../models/index.js";
import type { AssistantState, MessageId, TurnId } from "../protocol/index.js";
import { pendingAssistantOutput } from "./addresses.js";
import { Journal } from "./journal.js";
import type { OperationRun } from "./operation-run.js";
import { takePart } from "./take-part.js";

/** An answer so far: of a try that failed, or of a process that died. */
export interface PendingMessage {
  readonly id: MessageId;
  readonly state: AssistantState;
}

/**
 * An answer as tracked state: the same updates, the same stored list and the same recovery as a tool's output. It may take
 * several tries: what one has said stands until the next says something, and is then replaced by a base of the new one, for
 * viewers, storage and model alike. What tries consumed adds up.
 */
export class AnswerOutput {
  readonly #run: OperationRun;
  readonly #turnId: TurnId;
  readonly #messageId: MessageId;
  readonly #tracker: Tracker<AssistantState>;
  readonly #journal: Journal;
  readonly #publisher: Publisher;
  /** Where in the content each call of this try is. */
  readonly #calls = new Map<number, number>();
  #announced = false;
  #begun: boolean;
  /** Whether what is there is of an earlier try. */
  #isOld: boolean;

  constructor(run: OperationRun, turnId: TurnId, earlier?: PendingMessage) {
    const { storage, durability, clock, counters, newId } = run.runtime;
    this.#run = run;
    this.#turnId = turnId;
    this.#messageId = earlier?.id ?? newId("msg");
    this.#tracker = track<AssistantState>(earlier?.state ?? { content: [] });
    this.#begun = earlier !== undefined;
    this.#isOld = this.#begun;
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
    if (this.#begun) this.#run.feed.together(() => this.#announce());
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** What follows is another try. */
  beginTry(): void {
    this.#isOld = this.#begun;
    this.#calls.clear();
  }

  /** The model's first word begins the message, not the request: an attempt that fails at once leaves nothing. */
  take(part: ModelPart): void {
    this.#run.feed.together(() => {
      this.#announce();
      this.#begun = true;
      if (this.#isOld) this.#startAnew();
      takePart(this.#tracker.state, part, this.#calls, () => this.#run.runtime.newId("call"));
      this.#publisher.touch();
    });
  }

  async end(): Promise<PendingMessage> {
    this.#publisher.flush();
    this.#publisher.stop();
    await this.#journal.end();
    return { id: this.#messageId, state: this.#tracker.snapshot() };
  }

  /** Unless viewers know it from the process that began it. */
  #announce(): void {
    const { feed } = this.#run;
    if (this.#announced) return;
    this.#announced = true;
    if (feed.view.operation?.message?.id === this.#messageId) return;
    feed.emit({ type: "message_start", ...this.#identity(), role: "assistant" });
    if (this.#begun) this.#flush();
  }

  #startAnew(): void {
    const { usage } = this.#tracker.snapshot();
    this.#tracker.state = { content: [], ...(usage === undefined ? {} : { usage }) };
    this.#isOld = false;
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
