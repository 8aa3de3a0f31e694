import { addUsage } from "../protocol/index.js";
import type {
  Approval,
  Entry,
  HarnessEvent,
  LaneId,
  OperationId,
  OperationStatus,
  PendingApproval,
  Usage,
  UserEntry,
} from "../protocol/index.js";
import { ephemeralScope, sessionScope } from "../storage/index.js";
import type { SessionTransaction } from "../storage/index.js";
import { laneEntries, laneOperation } from "./addresses.js";
import { makeToolStart } from "./entries.js";
import type { Call } from "./entries.js";
import { describeError, HarnessError } from "./errors.js";
import type { LaneFeed } from "./feed.js";
import { Approvals, unknownApproval } from "./permission/approvals.js";
import type { Decision } from "./permission/contract.js";
import type { LaneQueue } from "./queue.js";
import { toStoredEntry } from "./record.js";
import type { ApprovalRecord } from "./record.js";
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
  readonly queue: LaneQueue;
  /** Whether its calls are a program's own, so that no message joins them. */
  readonly isDirect?: boolean | undefined;
  /** What an earlier process left of its approvals. */
  readonly approvals?: readonly ApprovalRecord[] | undefined;
}

/** One operation while it runs: its signal, what it consumed, and the only way by which entries reach the main log. */
export class OperationRun {
  readonly id: OperationId;
  readonly laneId: LaneId;
  readonly startedAt: number;
  readonly runtime: Runtime;
  readonly feed: LaneFeed;
  readonly approvals: Approvals;
  readonly #isDirect: boolean;
  readonly #queue: LaneQueue;
  readonly #controller = new AbortController();
  #usage: Usage = {};
  #stopped: Settlement | undefined;
  #ending = false;
  #ended = false;
  #suspended = false;
  #busy = 0;

  constructor(options: OperationRunOptions) {
    this.id = options.id;
    this.laneId = options.laneId;
    this.startedAt = options.startedAt;
    this.runtime = options.runtime;
    this.feed = options.feed;
    this.approvals = new Approvals(this.runtime, this.laneId, this.id, options.approvals ?? []);
    this.#isDirect = options.isDirect === true;
    this.#queue = options.queue;
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

  /** Whether its end is stated, so that nothing can join it any more. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Whether its end is stored. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether it was left to the next process, waiting for approvals. */
  get suspended(): boolean {
    return this.#suspended;
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

  /** Leaves the operation to the next process where it does nothing but wait for approvals. False where it does more. */
  suspend(): boolean {
    if (this.#busy > 0 || this.approvals.waiting === 0) return false;
    this.#suspended = true;
    this.approvals.suspend(new HarnessError("closed", "The harness was closed while the call waited for approval."));
    return true;
  }

  /** Work that waiting for an approval is not. */
  async busyWith<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
    }
  }

  /** Stores that someone is to be asked about a call. */
  async askApproval({ toolCallId, changedArgs }: Call, reason: string | undefined): Promise<void> {
    const pending: PendingApproval = { at: this.runtime.clock.now(), ...(reason === undefined ? {} : { reason }) };
    const changed = changedArgs === undefined ? {} : { changedArgs };
    await this.approvals.request({ operationId: this.id, toolCallId, pending, ...changed });
  }

  /** What is decided about a call that someone was asked about, by this process or an earlier one. */
  async waitForApproval(call: Call): Promise<Approval> {
    this.#tellPending(call);
    this.#busy -= 1;
    try {
      return await this.approvals.wait(call, this.signal);
    } finally {
      this.#busy += 1;
    }
  }

  /** Decides about a call that waits. */
  async approve(toolCallId: string, decision: Decision): Promise<void> {
    const tool = this.feed.view.operation?.tools.find(({ id }) => id === toolCallId);
    if (tool?.pendingApproval === undefined) throw unknownApproval(toolCallId);
    const { turnId, approval } = await this.approvals.decide(toolCallId, tool.name, decision);
    // It may have been stopped while the decision was stored.
    if (tool.pendingApproval === undefined) return;
    this.feed.emit({ type: "approval_end", operationId: this.id, turnId, toolCallId, approval });
    this.approvals.release(toolCallId, approval);
  }

  /** Lets what was said meanwhile join before the next request. */
  async joinSteering(): Promise<void> {
    if (!this.#queue.hasSteering || this.signal.aborted) return;
    const { value: joined } = await this.runtime.storage.commit(sessionScope, (transaction) =>
      this.#append(transaction, this.#queue.takeSteering(transaction, this.id)),
    );
    this.feed.emit(...joined.map(toAdded));
  }

  /**
   * Stores entries and then tells of them. With a settlement the operation's end, its entries and the end of its
   * ephemeral scope are one transaction: a crash leaves an operation that lives or one that is settled. An operation that
   * would end as completed goes on instead where something waits to join it; gives whether it ended.
   */
  async store(entries: readonly Entry[], events: readonly HarnessEvent[], settlement?: Settlement): Promise<boolean> {
    const usage = entries.reduce((sum, entry) => addUsage(sum, usageOf(entry)), this.#usage);
    const { value: joined } = await this.runtime.storage.commit(sessionScope, (transaction) => {
      this.#append(transaction, entries);
      if (settlement === undefined) return [];
      const takesMore = settlement.status === "completed" && !this.#isDirect;
      const joined = takesMore ? this.#queue.takeAtEnd(transaction, this.id) : [];
      if (joined.length === 0) this.#stateEnd(transaction, settlement, usage);
      return this.#append(transaction, joined);
    });
    const ends = settlement !== undefined && joined.length === 0;
    this.#usage = usage;
    this.#ended ||= ends;
    this.feed.emit(...events, ...joined.map(toAdded), ...(ends ? [this.#end(settlement)] : []));
    return ends;
  }

  #append<T extends Entry>(transaction: SessionTransaction, entries: readonly T[]): readonly T[] {
    for (const entry of entries) transaction.append(laneEntries(this.laneId), toStoredEntry(entry));
    return entries;
  }

  #stateEnd(transaction: SessionTransaction, settlement: Settlement, usage: Usage): void {
    this.#ending = true;
    transaction.set(laneOperation(this.laneId), {
      id: this.id,
      startedAt: this.startedAt,
      endedAt: this.runtime.clock.now(),
      ...settlement,
      usage,
      laneUsage: addUsage(this.feed.view.usage ?? {}, usage),
    });
    this.approvals.clear(transaction);
    transaction.retireScope(ephemeralScope(this.id));
  }

  #tellPending(call: Call): void {
    const { toolCallId, turnId } = call;
    const record = this.approvals.find(toolCallId);
    const tool = this.feed.view.operation?.tools.find(({ id }) => id === toolCallId);
    if (record === undefined || tool?.pendingApproval !== undefined) return;
    const identity = { operationId: this.id, turnId, toolCallId };
    const start = tool === undefined ? [makeToolStart(this.id, call)] : [];
    this.feed.emit(...start, { type: "approval_request", ...identity, pending: record.pending });
  }

  #end(settlement: Settlement): HarnessEvent {
    return { type: "operation_end", operationId: this.id, ...settlement, usage: this.#usage };
  }

  #stop(settlement: Settlement, error: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = settlement;
    this.#controller.abort(error);
  }
}

function toAdded(entry: UserEntry): HarnessEvent {
  return { type: "entry_added", entry };
}
