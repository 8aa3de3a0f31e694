import { DEFAULT_MAX_BYTES } from "../exec/index.js";
import type { ShellOutputLimits } from "../exec/index.js";
import type { Json, ToolEntry, ToolOutputState } from "../protocol/index.js";
import { ephemeralScope, valueAddress } from "../storage/index.js";
import { createToolOutput } from "../tools/index.js";
import type { ToolOutputSink } from "../tools/index.js";
import { CHANGED_ARGS_MEMO, operationToolMemo, pendingToolOutput } from "./addresses.js";
import { makeToolEnd, makeToolEntry, makeToolStart } from "./entries.js";
import type { Call, CallEnd } from "./entries.js";
import { Journal } from "./journal.js";
import { busyMemo, checkMemoName, copyMemo } from "./memo.js";
import type { OperationRun } from "./operation-run.js";

/** Where a call's result goes: the sink, its live updates, its durable list, its memos, and at the end its entry. */
export class CallOutput {
  readonly sink: ToolOutputSink;
  readonly #run: OperationRun;
  readonly #call: Call;
  readonly #journal: Journal;
  /** Names of memos that are being made. */
  readonly #computing = new Set<string>();

  constructor(run: OperationRun, call: Call, limits: ShellOutputLimits | undefined, seed?: ToolOutputState) {
    const { storage, durability, clock, counters } = run.runtime;
    this.#run = run;
    this.#call = call;
    this.sink = createToolOutput({
      limits,
      seed,
      clock,
      onBatch: (ops) => {
        run.feed.emit({ type: "tool_update", ...this.#identity(), ops });
        this.#journal.push(ops);
      },
    });
    this.#journal = new Journal({
      storage,
      address: pendingToolOutput(run.id, call.toolCallId),
      source: this.sink,
      capBytes: limits?.maxBytes ?? DEFAULT_MAX_BYTES,
      durability,
      clock,
      counters: counters.tools,
      onFailure: (error) => run.fail(error),
    });
  }

  /**
   * Announces the call and stores its first state. Durable before anything is run, so recovery can tell a call that may
   * have had effects from one that never began.
   */
  async start(): Promise<void> {
    this.#announce();
    const { changedArgs } = this.#call;
    if (changedArgs === undefined) return this.#journal.write("always");
    // A later run of the same call must be given the same.
    await this.note(CHANGED_ARGS_MEMO, changedArgs);
  }

  /** The stored note of this name, or what `compute` gives, stored with the output up to now. */
  async memo<T extends Json>(name: string, compute: () => T | Promise<T>): Promise<T> {
    checkMemoName(name);
    if (this.#computing.has(name)) throw busyMemo(name);
    this.#computing.add(name);
    try {
      // What was stored is JSON, whatever type the tool had when it did.
      return (await this.#makeMemo(name, compute)) as T;
    } finally {
      this.#computing.delete(name);
    }
  }

  /** Stores a note with the output up to now. */
  async note(name: string, value: Json): Promise<void> {
    const address = operationToolMemo(this.#run.id, this.#call.toolCallId, name);
    await this.#journal.write("always", (transaction) => transaction.set(address, value));
  }

  /** Ends the output, stores the call's entry, tells of it, and drops what the sidecar held of the call. */
  async settle(end: CallEnd): Promise<ToolEntry> {
    const error = this.sink.settle(end.error);
    await this.#journal.end();
    const entry = await this.#store({ ...end, error });
    await this.#clear();
    return entry;
  }

  /** Settles a call that is not run: of it nothing is stored but its entry. */
  async refuse(end: CallEnd): Promise<ToolEntry> {
    this.#announce();
    this.sink.settle(end.error);
    this.#journal.stop();
    return this.#store(end);
  }

  async #store(end: CallEnd): Promise<ToolEntry> {
    const entry = makeToolEntry(this.#run, this.#call, end, this.sink.snapshot());
    await this.#run.store([entry], [makeToolEnd(this.#call, entry)]);
    return entry;
  }

  #announce(): void {
    const { feed } = this.#run;
    feed.together(() => {
      if (!this.#isAnnounced()) feed.emit(makeToolStart(this.#run.id, this.#call));
      this.sink.flush();
    });
  }

  async #makeMemo(name: string, compute: () => Json | Promise<Json>): Promise<Json> {
    const address = operationToolMemo(this.#run.id, this.#call.toolCallId, name);
    const stored = await this.#run.runtime.storage.readValue(address);
    if (stored !== undefined) return stored;
    const value = copyMemo(name, await compute());
    await this.note(name, value);
    return structuredClone(value);
  }

  async #clear(): Promise<void> {
    const { storage } = this.#run.runtime;
    const scope = ephemeralScope(this.#run.id);
    const prefix = `tool/${this.#call.toolCallId}/memo/`;
    const memos = (await storage.listKeys(scope)).filter(({ kind, key }) => kind === "value" && key.startsWith(prefix));
    await storage.commit(
      scope,
      (transaction) => {
        transaction.clear(pendingToolOutput(this.#run.id, this.#call.toolCallId));
        for (const { key } of memos) transaction.delete(valueAddress(scope, key));
      },
      { sync: "interval" },
    );
  }

  #isAnnounced(): boolean {
    const { operation } = this.#run.feed.view;
    return operation?.tools.some((tool) => tool.id === this.#call.toolCallId) ?? false;
  }

  #identity(): { operationId: string; turnId: string; toolCallId: string } {
    const { turnId, toolCallId } = this.#call;
    return { operationId: this.#run.id, turnId, toolCallId };
  }
}
