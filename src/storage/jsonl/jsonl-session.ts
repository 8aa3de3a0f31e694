import type { Scope } from "../address.js";
import { checkScope, checkSessionId } from "../check.js";
import type {
  CommitOptions,
  Committed,
  Sequence,
  SessionStorage,
  SessionTransaction,
  StorageUsage,
  TransactionOf,
} from "../contract.js";
import { IndexReader } from "../index-reader.js";
import type { SessionContents } from "../index-reader.js";
import { collectWrites } from "../transaction.js";
import type { Compaction } from "./main-log.js";
import type { Span } from "./record.js";
import type { HeldLock } from "./session-lock.js";
import type { SessionWriter } from "./session-writer.js";

/** Makes a session that begins with the history of this one up to a sequence; of what was before `since` not all is known. */
export type ForkSession = (
  target: string,
  history: { readonly upTo: Sequence; readonly since: Sequence },
) => Promise<SessionStorage>;

/** A session that this process writes. */
export class JsonlSession extends IndexReader<Span> implements SessionStorage {
  readonly #writer: SessionWriter;
  readonly #lock: HeldLock;
  readonly #fork: ForkSession;
  #closing: Promise<void> | undefined;

  constructor(sessionId: string, writer: SessionWriter, lock: HeldLock, fork: ForkSession) {
    super(sessionId);
    this.#writer = writer;
    this.#lock = lock;
    this.#fork = fork;
  }

  async commit<S extends Scope, R>(
    scope: S,
    build: (transaction: TransactionOf<S>) => R,
    options: CommitOptions = {},
  ): Promise<Committed<R>> {
    this.refuseClosed();
    this.#writer.refuseFailed();
    checkScope(scope);
    // One object serves both kinds of transaction; which methods the caller sees is settled by its type.
    const { writes, value } = collectWrites(scope, build as (transaction: SessionTransaction) => R);
    if (writes.length === 0) return { sequence: undefined, value };
    const mustSync = scope.kind === "session" || options.sync !== "interval";
    return { sequence: await this.#writer.commit(scope, writes, mustSync), value };
  }

  async usage(): Promise<StorageUsage> {
    this.refuseClosed();
    return this.#writer.usage;
  }

  async fork(
    target: string,
    { upTo = Infinity }: { readonly upTo?: Sequence | undefined } = {},
  ): Promise<SessionStorage> {
    this.refuseClosed();
    checkSessionId(target);
    return this.#writer.runAlone(async (main) => {
      main.refuseForgotten(upTo);
      return this.#fork(target, { upTo: Math.min(upTo, main.lastSequence), since: main.forgottenBefore });
    });
  }

  /** Leaves out of the main log what is dead. */
  async compact(): Promise<Compaction> {
    this.refuseClosed();
    return this.#writer.compact();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#closing ??= this.#giveBack();
    return this.#closing;
  }

  async #giveBack(): Promise<void> {
    try {
      await this.#writer.close();
    } finally {
      await this.#lock.release();
    }
  }

  protected withContents<R>(read: (contents: SessionContents<Span>) => Promise<R>): Promise<R> {
    return read(this.#writer);
  }
}
