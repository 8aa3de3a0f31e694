import { emptyLaneView } from "../lane/index.js";
import type { LaneView } from "../lane/index.js";
import type { EntryId, HarnessEvent, Json, LaneId, QueuedMessage, QueueKind, UserEntry } from "../protocol/index.js";
import { sessionScope } from "../storage/index.js";
import type { SessionTransaction } from "../storage/index.js";
import { laneEntries, laneOperation, laneOrigin, sessionLanes } from "./addresses.js";
import type { DirectCall, Lane, LaneSubscriber, Operation, OperationResult, RecoveredOperation } from "./contract.js";
import { DirectCalls } from "./direct-calls.js";
import { describeError, HarnessError } from "./errors.js";
import { LaneFeed } from "./feed.js";
import { readLane, toLaneView } from "./history.js";
import type { StoredLane, UnsettledOperation } from "./history.js";
import { OperationRun } from "./operation-run.js";
import type { OperationRunOptions, Settlement } from "./operation-run.js";
import { runOperation } from "./operation.js";
import { unknownApproval } from "./permission/approvals.js";
import type { Decision } from "./permission/contract.js";
import { LaneQueue, MAX_QUEUED_BYTES } from "./queue.js";
import { recoverDirectCalls, recoverOperation } from "./recovery.js";
import type { LaneOrigin, OperationRecord } from "./record.js";
import type { Runtime } from "./runtime.js";
import { usageOf } from "./usage.js";

export const MAX_PROMPT_BYTES = 1_048_576;
const ABORT_REASON = "The operation was aborted.";
const CLOSED_REASON = "The harness was closed.";
const SUSPENDED_REASON = "The harness was closed while calls waited for approval; they wait on.";

/** What an earlier process left, and the run that takes it up. */
interface LeftOver {
  readonly run: OperationRun;
  readonly unsettled: UnsettledOperation;
  /** Where its calls are a program's own. */
  readonly direct: DirectCalls | undefined;
}

/** A lane at work: accepts prompts one after the other, runs each to its settlement, settles what was left. */
export class LaneWork implements Lane {
  readonly id: LaneId;
  readonly #runtime: Runtime;
  readonly #feed: LaneFeed;
  readonly #queue: LaneQueue;
  readonly #origin: LaneOrigin | undefined;
  /** Whether the session's list of lanes holds this one. */
  #listed: boolean;
  /** Whether storage holds an operation that nothing here works on. */
  #unsettled: boolean;
  #closed = false;
  /** What keeps the lane busy, until it is done. Never rejects. */
  #work: Promise<unknown> | undefined;
  #run: OperationRun | undefined;
  /** The calls of the operation that runs, where they are a program's own. */
  #direct: DirectCalls | undefined;
  /** Until it is known whether what is being taken up is an operation of such calls. */
  #opening: Promise<unknown> | undefined;
  /** Why what is being read to be taken up is to be stopped as soon as it is. */
  #stopReason: string | undefined;

  constructor(runtime: Runtime, id: LaneId, stored?: StoredLane & { readonly isForking?: true }) {
    this.id = id;
    this.#runtime = runtime;
    this.#feed = new LaneFeed(stored === undefined ? emptyLaneView() : toLaneView(stored));
    this.#queue = new LaneQueue(runtime, id, this.#feed, stored?.queue ?? []);
    this.#origin = stored?.origin;
    this.#listed = stored !== undefined && stored.isForking !== true;
    this.#unsettled = stored?.unsettled !== undefined;
  }

  view(): LaneView {
    return structuredClone(this.#feed.view);
  }

  subscribe(subscriber: LaneSubscriber): () => void {
    this.#refuseClosed();
    return this.#feed.subscribe(subscriber);
  }

  async prompt(text: string): Promise<Operation> {
    this.#refuseClosed();
    this.#refuseBusy();
    checkText(text, "A prompt", MAX_PROMPT_BYTES);
    const run = this.#makeRun({ id: this.#runtime.newId("op"), startedAt: this.#runtime.clock.now() });
    this.#run = run;
    const accepted = this.#accept(run, text);
    // The lane is busy from here on, so that of two prompts in one moment one is refused.
    const settled = this.#keepBusy(accepted.then(() => this.#settle(run, runOperation(run))));
    await accepted;
    return {
      id: run.id,
      laneId: this.id,
      abort: (reason) => run.abort(reason ?? ABORT_REASON),
      settled,
    };
  }

  async call(toolName: string, args: Json): Promise<DirectCall> {
    await this.#opening;
    // One that ends takes no more calls, and the next operation waits for its end.
    while (this.#direct?.isOpen === false) await this.#direct.settled.catch(() => undefined);
    this.#refuseClosed();
    return (this.#direct ?? this.#startDirect()).begin(toolName, args);
  }

  steer(text: string): Promise<QueuedMessage> {
    return this.#say("steer", text);
  }

  followUp(text: string): Promise<QueuedMessage> {
    return this.#say("followUp", text);
  }

  async withdraw(id: EntryId): Promise<boolean> {
    this.#refuseClosed();
    return this.#queue.withdraw(id);
  }

  async approve(toolCallId: string, decision: Decision): Promise<void> {
    this.#refuseClosed();
    if (this.#run === undefined) {
      if (this.#unsettled) this.#refuseUnsettled();
      throw unknownApproval(toolCallId);
    }
    await this.#run.approve(toolCallId, decision);
  }

  /** A lane that begins as this one up to and with an entry. It is to {@link begin}. */
  fork(entryId: EntryId, to: LaneId): LaneWork {
    const { transcript } = this.#feed.view;
    const index = transcript.findIndex(({ id }) => id === entryId);
    if (index < 0) throw new HarnessError("unknown_entry", `Lane ${this.id} holds no entry ${entryId} to fork at.`);
    return new LaneWork(this.#runtime, to, {
      transcript: transcript.slice(0, index + 1),
      record: undefined,
      queue: [],
      origin: { laneId: this.id, entryId },
      unsettled: undefined,
      isForking: true,
    });
  }

  /** Stores that there is this lane. */
  async begin(): Promise<void> {
    await this.#runtime.storage.commit(sessionScope, (transaction) => this.#list(transaction));
    this.#listed = true;
  }

  abort(reason = ABORT_REASON): boolean {
    if (this.#work === undefined || this.#run?.ended === true) return false;
    if (this.#run === undefined) this.#stopReason ??= reason;
    else this.#run.abort(reason);
    return true;
  }

  /** Settles what an earlier process, or a failed write, left. Gives nothing where nothing was left. */
  async recover(): Promise<RecoveredOperation | undefined> {
    this.#refuseClosed();
    if (!this.#unsettled) return undefined;
    this.#refuseBusy({ unsettled: true });
    const left = this.#openLeftOver();
    this.#opening = left.catch(() => undefined);
    return this.#keepBusy(left.then((found) => found && this.#settleLeftOver(found)));
  }

  /** Aborts what runs, or leaves it where it only waits for approvals, waits until it has settled, and ends the subscriptions. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#run?.suspend() !== true) this.abort(CLOSED_REASON);
    await this.#work;
    this.#feed.end();
  }

  async #accept(run: OperationRun, text: string): Promise<void> {
    const entry: UserEntry = {
      type: "user",
      id: this.#runtime.newId("entry"),
      operationId: run.id,
      at: run.startedAt,
      text,
    };
    await this.#storeStart(run, [entry], {});
    this.#feed.emit(startOf(run), { type: "entry_added", entry });
  }

  async #acceptDirect(run: OperationRun): Promise<void> {
    await this.#storeStart(run, [], { direct: true });
    this.#feed.emit(startOf(run));
  }

  async #storeStart(
    { id, startedAt }: OperationRun,
    entries: readonly UserEntry[],
    kind: Pick<OperationRecord, "direct">,
  ): Promise<void> {
    const { storage, policy } = this.#runtime;
    const { usage } = this.#feed.view;
    const laneUsage = usage === undefined ? {} : { laneUsage: { ...usage } };
    const { value: stated } = await storage.commit(sessionScope, (transaction) => {
      this.#list(transaction);
      policy.state(transaction);
      for (const entry of entries) transaction.append(laneEntries(this.id), entry);
      transaction.set(laneOperation(this.id), { id, startedAt, status: "running", ...laneUsage, ...kind });
      return policy.policy;
    });
    policy.stated(stated);
    this.#listed = true;
  }

  #startDirect(): DirectCalls {
    this.#refuseBusy();
    const run = this.#makeRun({ id: this.#runtime.newId("op"), startedAt: this.#runtime.clock.now(), isDirect: true });
    this.#run = run;
    const accepted = this.#acceptDirect(run);
    const direct = this.#openDirect(run, accepted);
    this.#keepBusy(accepted.then(() => this.#settle(run, direct.settled))).catch(() => undefined);
    return direct;
  }

  #openDirect(run: OperationRun, accepted: Promise<void>): DirectCalls {
    const direct = new DirectCalls(run, accepted);
    this.#direct = direct;
    const leave = (): void => {
      if (this.#direct === direct) this.#direct = undefined;
    };
    direct.settled.then(leave, leave);
    return direct;
  }

  #list(transaction: SessionTransaction): void {
    if (this.#listed) return;
    transaction.append(sessionLanes, this.id);
    if (this.#origin !== undefined) transaction.set(laneOrigin(this.id), this.#origin);
  }

  async #say(kind: QueueKind, text: string): Promise<QueuedMessage> {
    this.#refuseClosed();
    checkText(text, "A message", MAX_QUEUED_BYTES);
    const refuseLate = (): void => {
      if (this.#work !== undefined && this.#run?.ending !== true && this.#direct === undefined) return;
      throw new HarnessError("lane_idle", `Lane ${this.id} runs nothing that this could join; prompt it instead.`);
    };
    refuseLate();
    return this.#queue.add(kind, text, refuseLate);
  }

  async #settle(run: OperationRun, work: Promise<Settlement>): Promise<OperationResult> {
    try {
      const settlement = await work;
      return { operationId: run.id, ...settlement, usage: run.usage };
    } catch (error) {
      // Not settled on disk, so nobody is told that it is: recovery ends it once storage can write again.
      this.#unsettled = true;
      if (run.suspended)
        return { operationId: run.id, status: "interrupted", reason: SUSPENDED_REASON, usage: run.usage };
      run.fail(error);
      const reason = `The operation's end could not be stored: ${describeError(error)}`;
      return { operationId: run.id, status: "failed", reason, usage: run.usage };
    }
  }

  async #openLeftOver(): Promise<LeftOver | undefined> {
    const { transcript, queue, unsettled } = await readLane(this.#runtime.storage, this.id);
    if (unsettled === undefined) return undefined;
    this.#queue.reset(queue);
    const run = this.#makeRun(unsettled);
    for (const entry of transcript) if (entry.operationId === run.id) run.count(usageOf(entry));
    this.#run = run;
    if (this.#stopReason !== undefined) run.abort(this.#stopReason);
    const direct = unsettled.isDirect ? this.#openDirect(run, Promise.resolve()) : undefined;
    return { run, unsettled, direct };
  }

  async #settleLeftOver({ run, unsettled, direct }: LeftOver): Promise<RecoveredOperation> {
    const recovery =
      direct === undefined
        ? await recoverOperation(run, unsettled).catch((error: unknown) => {
            if (!run.suspended) throw error;
            return { outcome: "interrupted", status: "interrupted", reason: SUSPENDED_REASON } as const;
          })
        : await direct.recover(() => recoverDirectCalls(run, unsettled));
    this.#unsettled = run.suspended;
    return { operationId: run.id, laneId: this.id, ...recovery };
  }

  #makeRun(operation: Pick<OperationRunOptions, "id" | "startedAt" | "isDirect" | "approvals">): OperationRun {
    const { id, startedAt, isDirect, approvals } = operation;
    const lane = { laneId: this.id, runtime: this.#runtime, feed: this.#feed, queue: this.#queue };
    return new OperationRun({ id, startedAt, isDirect, approvals, ...lane });
  }

  #keepBusy<T>(work: Promise<T>): Promise<T> {
    const freed = work.finally(() => {
      if (this.#work !== settled) return;
      this.#work = undefined;
      this.#run = undefined;
      this.#stopReason = undefined;
    });
    const settled = freed.catch(() => undefined);
    this.#work = settled;
    return freed;
  }

  #refuseClosed(): void {
    if (this.#closed) throw new HarnessError("closed", "The harness was closed; open the session again.");
  }

  #refuseBusy(allowed: { readonly unsettled: boolean } = { unsettled: false }): void {
    // Who is told of an operation's end may prompt at once.
    if (this.#work !== undefined && this.#run?.ended !== true) {
      throw new HarnessError(
        "lane_busy",
        `Lane ${this.id} runs operation ${this.#run?.id ?? ""}; wait until it has settled, abort it, or use another lane.`,
      );
    }
    if (this.#unsettled && !allowed.unsettled) this.#refuseUnsettled();
  }

  #refuseUnsettled(): never {
    throw new HarnessError(
      "unsettled",
      `Lane ${this.id} holds an operation that did not settle; call recover() first.`,
    );
  }
}

function startOf({ id, laneId }: OperationRun): HarnessEvent {
  return { type: "operation_start", operationId: id, laneId };
}

function checkText(text: string, what: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > 0 && bytes <= maxBytes) return;
  throw new HarnessError(
    "invalid_argument",
    `${what} has 1 to ${maxBytes} bytes; this one has ${bytes}. Put large text into a file and name it.`,
  );
}
