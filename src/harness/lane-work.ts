import type { LaneView } from "../lane/index.js";
import type { HarnessEvent, LaneId, UserEntry } from "../protocol/index.js";
import { sessionScope } from "../storage/index.js";
import { laneEntries, laneOperation, sessionLanes } from "./addresses.js";
import type { Lane, LaneSubscriber, Operation, OperationResult, RecoveredOperation } from "./contract.js";
import { describeError, HarnessError } from "./errors.js";
import { LaneFeed } from "./feed.js";
import { readLane, toLaneView } from "./history.js";
import type { StoredLane } from "./history.js";
import { OperationRun } from "./operation-run.js";
import { runOperation } from "./operation.js";
import { recoverOperation } from "./recovery.js";
import type { Runtime } from "./runtime.js";
import { usageOf } from "./usage.js";

export const MAX_PROMPT_BYTES = 1_048_576;
const ABORT_REASON = "The operation was aborted.";
const CLOSED_REASON = "The harness was closed.";

/** A lane at work: accepts prompts one after the other, runs each to its settlement, settles what was left. */
export class LaneWork implements Lane {
  readonly id: LaneId;
  readonly #runtime: Runtime;
  readonly #feed: LaneFeed;
  /** Whether the session's list of lanes holds this one. */
  #listed: boolean;
  /** Whether storage holds an operation that nothing here works on. */
  #unsettled: boolean;
  #closed = false;
  /** What keeps the lane busy, until it is done. Never rejects. */
  #work: Promise<unknown> | undefined;
  #run: OperationRun | undefined;
  /** Why what is being read to be taken up is to be stopped as soon as it is. */
  #stopReason: string | undefined;

  constructor(runtime: Runtime, id: LaneId, stored?: StoredLane) {
    this.id = id;
    this.#runtime = runtime;
    this.#feed = new LaneFeed(stored === undefined ? { transcript: [], operation: null } : toLaneView(stored));
    this.#listed = stored !== undefined;
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
    checkPrompt(text);
    const run = this.#makeRun(this.#runtime.newId("op"), this.#runtime.clock.now());
    this.#run = run;
    const accepted = this.#accept(run, text);
    // The lane is busy from here on, so that of two prompts in one moment one is refused.
    const settled = this.#keepBusy(accepted.then(() => this.#settle(run)));
    await accepted;
    return {
      id: run.id,
      laneId: this.id,
      abort: (reason) => run.abort(reason ?? ABORT_REASON),
      settled,
    };
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
    return this.#keepBusy(this.#settleLeftOver());
  }

  /** Aborts what runs, waits until it has settled, and ends the subscriptions. */
  async close(): Promise<void> {
    this.#closed = true;
    this.abort(CLOSED_REASON);
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
    await this.#runtime.storage.commit(sessionScope, (transaction) => {
      if (!this.#listed) transaction.append(sessionLanes, this.id);
      transaction.append(laneEntries(this.id), entry);
      transaction.set(laneOperation(this.id), { id: run.id, startedAt: run.startedAt, status: "running" });
    });
    this.#listed = true;
    const start: HarnessEvent = { type: "operation_start", operationId: run.id, laneId: this.id };
    this.#feed.emit(start, { type: "entry_added", entry });
  }

  async #settle(run: OperationRun): Promise<OperationResult> {
    try {
      const settlement = await runOperation(run);
      return { operationId: run.id, ...settlement, usage: run.usage };
    } catch (error) {
      // Not settled on disk, so nobody is told that it is: recovery ends it once storage can write again.
      this.#unsettled = true;
      run.fail(error);
      const reason = `The operation's end could not be stored: ${describeError(error)}`;
      return { operationId: run.id, status: "failed", reason, usage: run.usage };
    }
  }

  async #settleLeftOver(): Promise<RecoveredOperation | undefined> {
    const { transcript, unsettled } = await readLane(this.#runtime.storage, this.id);
    if (unsettled === undefined) return undefined;
    const run = this.#makeRun(unsettled.id, unsettled.startedAt);
    for (const entry of transcript) if (entry.operationId === run.id) run.count(usageOf(entry));
    this.#run = run;
    if (this.#stopReason !== undefined) run.abort(this.#stopReason);
    const recovery = await recoverOperation(run, unsettled);
    this.#unsettled = false;
    return { operationId: run.id, laneId: this.id, ...recovery };
  }

  #makeRun(id: string, startedAt: number): OperationRun {
    return new OperationRun({ id, laneId: this.id, startedAt, runtime: this.#runtime, feed: this.#feed });
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
    if (this.#unsettled && !allowed.unsettled) {
      throw new HarnessError(
        "unsettled",
        `Lane ${this.id} holds an operation that did not settle; call recover() first.`,
      );
    }
  }
}

function checkPrompt(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > 0 && bytes <= MAX_PROMPT_BYTES) return;
  throw new HarnessError(
    "invalid_argument",
    `A prompt has 1 to ${MAX_PROMPT_BYTES} bytes; this one has ${bytes}. Put large text into a file and name it.`,
  );
}
