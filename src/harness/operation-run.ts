import { addUsage } from "../protocol/index.js";
import type { Entry, HarnessEvent, LaneId, OperationId, OperationStatus, Usage } from "../protocol/index.js";
import { ephemeralScope, sessionScope } from "../storage/index.js";
import { laneEntries, laneOperation } from "./addresses.js";
import { describeError, HarnessError } from "./errors.js";
import type { LaneFeed } from "./feed.js";
import { toStoredEntry } from "./record.js";
import type { Runtime } from "./runtime.js";
import { usageOf } from "./usage.js";

/** How an operation ends. */
export interface Settlement {
  readonly status: OperationStatus;
  readonly reason?: string;
}

export interface OperationRunOptions {
  readonly id: OperationId;
  readonly laneId: LaneId;
  readonly startedAt: number;
  readonly runtime: Runtime;
  readonly feed: LaneFeed;
}

/** One operation while it runs: its signal, what it consumed, and the only way by which entries reach the main log. */
export class OperationRun {
  readonly id: OperationId;
  readonly laneId: LaneId;
  readonly startedAt: number;
  readonly runtime: Runtime;
  readonly feed: LaneFeed;
  readonly #controller = new AbortController();
  #usage: Usage = {};
  #stopped: Settlement | undefined;
  #ended = false;

  constructor(options: OperationRunOptions) {
    this.id = options.id;
    this.laneId = options.laneId;
    this.startedAt = options.startedAt;
    this.runtime = options.runtime;
    this.feed = options.feed;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** How the operation is to end because it was stopped; the first reason stands. */
  get stopped(): Settlement | undefined {
    return this.#stopped;
  }

  /** Whether its end is stored. */
  get ended(): boolean {
    return this.#ended;
  }

  abort(reason: string): void {
    this.#stop({ status: "aborted", reason }, new HarnessError("aborted", reason));
  }

  /** Stops the operation because it cannot go on. */
  fail(error: unknown): void {
    this.#stop({ status: "failed", reason: describeError(error) }, error);
  }

  /** Adds what an entry consumed that an earlier process stored. */
  count(usage: Usage | undefined): void {
    this.#usage = addUsage(this.#usage, usage);
  }

  /**
   * Stores entries and then tells of them. With a settlement the operation's end, its entries and the end of its
   * ephemeral scope are one transaction: a crash leaves an operation that lives or one that is settled.
   */
  async store(entries: readonly Entry[], events: readonly HarnessEvent[], settlement?: Settlement): Promise<void> {
    const usage = entries.reduce((sum, entry) => addUsage(sum, usageOf(entry)), this.#usage);
    await this.runtime.storage.commit(sessionScope, (transaction) => {
      for (const entry of entries) transaction.append(laneEntries(this.laneId), toStoredEntry(entry));
      if (settlement === undefined) return;
      const endedAt = this.runtime.clock.now();
      transaction.set(laneOperation(this.laneId), {
        id: this.id,
        startedAt: this.startedAt,
        endedAt,
        ...settlement,
        usage,
      });
      transaction.retireScope(ephemeralScope(this.id));
    });
    this.#usage = usage;
    this.#ended ||= settlement !== undefined;
    this.feed.emit(...events, ...(settlement === undefined ? [] : [this.#end(settlement)]));
  }

  #end(settlement: Settlement): HarnessEvent {
    return { type: "operation_end", operationId: this.id, ...settlement };
  }

  #stop(settlement: Settlement, error: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = settlement;
    this.#controller.abort(error);
  }
}
