import type { EntryId, LaneId, OperationId, QueuedMessage, QueueKind, UserEntry } from "../protocol/index.js";
import { sessionScope } from "../storage/index.js";
import type { SessionTransaction } from "../storage/index.js";
import { laneQueue } from "./addresses.js";
import { HarnessError } from "./errors.js";
import type { LaneFeed } from "./feed.js";
import type { Runtime } from "./runtime.js";

/** So that a view with its queue stays bounded. */
export const MAX_QUEUED_MESSAGES = 32;
/** UTF-8 bytes of all that is queued in a lane. */
export const MAX_QUEUED_BYTES = 65_536;

/**
 * What was said to a lane and has not joined an operation. Changed inside commits only, in their order: a message that was
 * accepted joins exactly one operation, also where that operation ends in the same moment.
 */
export class LaneQueue {
  readonly #runtime: Runtime;
  readonly #laneId: LaneId;
  readonly #feed: LaneFeed;
  #messages: readonly QueuedMessage[];

  constructor(runtime: Runtime, laneId: LaneId, feed: LaneFeed, stored: readonly QueuedMessage[]) {
    this.#runtime = runtime;
    this.#laneId = laneId;
    this.#feed = feed;
    this.#messages = stored;
  }

  get hasSteering(): boolean {
    return this.#messages.some(({ kind }) => kind === "steer");
  }

  /** Takes over what is stored, after a commit of which nobody knows what became of it. */
  reset(stored: readonly QueuedMessage[]): void {
    this.#messages = stored;
  }

  /** `refuseLate` throws, inside the commit, where no operation is left to join. */
  async add(kind: QueueKind, text: string, refuseLate: () => void): Promise<QueuedMessage> {
    const { newId, clock, storage } = this.#runtime;
    const message: QueuedMessage = { id: newId("entry"), kind, text, at: clock.now() };
    try {
      await storage.commit(sessionScope, (transaction) => {
        refuseLate();
        this.#refuseFull(text);
        this.#state(transaction, [...this.#messages, message]);
      });
    } catch (error) {
      this.#messages = this.#messages.filter(({ id }) => id !== message.id);
      throw error;
    }
    this.#feed.emit({ type: "message_queued", message });
    return message;
  }

  async withdraw(id: EntryId): Promise<boolean> {
    const { value: isWithdrawn } = await this.#runtime.storage.commit(sessionScope, (transaction) => {
      const left = this.#messages.filter((message) => message.id !== id);
      if (left.length === this.#messages.length) return false;
      this.#state(transaction, left);
      return true;
    });
    if (isWithdrawn) this.#feed.emit({ type: "message_withdrawn", id });
    return isWithdrawn;
  }

  /** What joins at the next request, as entries: all that steers. */
  takeSteering(transaction: SessionTransaction, operationId: OperationId): UserEntry[] {
    return this.#take(
      transaction,
      operationId,
      this.#messages.filter(({ kind }) => kind === "steer"),
    );
  }

  /** What joins where the operation would end: all that steers, else the oldest of what follows up. */
  takeAtEnd(transaction: SessionTransaction, operationId: OperationId): UserEntry[] {
    const taken = this.hasSteering ? this.#messages.filter(({ kind }) => kind === "steer") : this.#messages.slice(0, 1);
    return this.#take(transaction, operationId, taken);
  }

  #take(transaction: SessionTransaction, operationId: OperationId, taken: readonly QueuedMessage[]): UserEntry[] {
    if (taken.length === 0) return [];
    this.#state(
      transaction,
      this.#messages.filter((message) => !taken.includes(message)),
    );
    const at = this.#runtime.clock.now();
    return taken.map(({ id, kind, text }) => ({ type: "user", id, operationId, at, text, queuedAs: kind }));
  }

  #state(transaction: SessionTransaction, messages: readonly QueuedMessage[]): void {
    if (messages.length === 0) transaction.delete(laneQueue(this.#laneId));
    else transaction.set(laneQueue(this.#laneId), messages);
    this.#messages = messages;
  }

  #refuseFull(text: string): void {
    const bytes = this.#messages.reduce(
      (sum, message) => sum + Buffer.byteLength(message.text),
      Buffer.byteLength(text),
    );
    if (this.#messages.length < MAX_QUEUED_MESSAGES && bytes <= MAX_QUEUED_BYTES) return;
    throw new HarnessError(
      "queue_full",
      `Lane ${this.#laneId} queues at most ${MAX_QUEUED_MESSAGES} messages of ${MAX_QUEUED_BYTES} bytes in all; wait until some have joined, or withdraw one.`,
    );
  }
}
