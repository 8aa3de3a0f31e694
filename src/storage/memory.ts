import type { Scope } from "./address.js";
import { checkScope, checkSessionId } from "./check.js";
import type {
  Committed,
  Sequence,
  SessionReader,
  SessionStorage,
  SessionTransaction,
  Storage,
  StorageUsage,
  TransactionOf,
} from "./contract.js";
import { StorageError } from "./errors.js";
import { IndexReader } from "./index-reader.js";
import type { SessionContents } from "./index-reader.js";
import { EPOCH_SIZE } from "./sequence.js";
import { SessionIndex } from "./session-index.js";
import { collectWrites } from "./transaction.js";
import type { JsonText, Write } from "./writes.js";

/** Sessions that live as long as this object: the whole contract without a disk. Elements are kept as JSON text. */
export function createMemoryStorage(): Storage {
  return new MemoryStorage();
}

/** Commits of the session scope in their order: a fork wants values as they were. */
type History = { readonly sequence: Sequence; readonly writes: readonly Write<JsonText>[] }[];

/** What outlives the openings of one session. */
interface MemoryState extends SessionContents<JsonText> {
  epoch: number;
  readonly history: History;
  isWritten: boolean;
}

class MemoryStorage implements Storage {
  readonly #sessions = new Map<string, MemoryState>();

  async create(sessionId: string): Promise<SessionStorage> {
    return this.#createFrom(sessionId, 0, []);
  }

  async open(sessionId: string): Promise<SessionStorage> {
    const state = this.#find(sessionId);
    refuseWritten(sessionId, state);
    return this.#write(sessionId, state);
  }

  async read(sessionId: string): Promise<SessionReader> {
    return new MemoryReader(sessionId, this.#find(sessionId));
  }

  async list(): Promise<readonly string[]> {
    return [...this.#sessions.keys()].sort();
  }

  async remove(sessionId: string): Promise<void> {
    refuseWritten(sessionId, this.#find(sessionId));
    this.#sessions.delete(sessionId);
  }

  #createFrom(sessionId: string, epoch: number, history: History): SessionStorage {
    checkSessionId(sessionId);
    if (this.#sessions.has(sessionId)) {
      throw new StorageError("session_exists", `Session ${sessionId} exists; open it, or choose another id.`);
    }
    const index = new SessionIndex<JsonText>();
    for (const { sequence, writes } of history) index.apply({ kind: "session" }, writes, sequence);
    const load = async (_scope: Scope, texts: readonly JsonText[]): Promise<string[]> => texts.map(({ json }) => json);
    const state = { epoch, history, index, load, isWritten: false };
    this.#sessions.set(sessionId, state);
    return this.#write(sessionId, state);
  }

  #write(sessionId: string, state: MemoryState): SessionStorage {
    state.isWritten = true;
    state.epoch += 1;
    return new MemorySession(sessionId, state, (target, epoch, history) => this.#createFrom(target, epoch, history));
  }

  #find(sessionId: string): MemoryState {
    checkSessionId(sessionId);
    const state = this.#sessions.get(sessionId);
    if (state === undefined) throw new StorageError("session_unknown", `There is no session ${sessionId}.`);
    return state;
  }
}

class MemoryReader extends IndexReader<JsonText> {
  protected readonly state: MemoryState;
  protected peakBytes: number;

  constructor(sessionId: string, state: MemoryState) {
    super(sessionId);
    this.state = state;
    this.peakBytes = sidecarBytes(state);
  }

  /** Bytes of the keys and texts that are kept. */
  async usage(): Promise<StorageUsage> {
    this.refuseClosed();
    const bytes = sidecarBytes(this.state);
    this.peakBytes = Math.max(this.peakBytes, bytes);
    return { mainBytes: this.state.index.main.bytes, sidecarBytes: bytes, sidecarPeakBytes: this.peakBytes };
  }

  protected withContents<R>(read: (contents: MemoryState) => Promise<R>): Promise<R> {
    return read(this.state);
  }
}

type CreateFork = (target: string, epoch: number, history: History) => SessionStorage;

class MemorySession extends MemoryReader implements SessionStorage {
  readonly #createFork: CreateFork;
  #count = 0;
  #isOpen = true;

  constructor(sessionId: string, state: MemoryState, createFork: CreateFork) {
    super(sessionId, state);
    this.#createFork = createFork;
  }

  async commit<S extends Scope, R>(scope: S, build: (transaction: TransactionOf<S>) => R): Promise<Committed<R>> {
    this.refuseClosed();
    checkScope(scope);
    // One object serves both kinds of transaction; which methods the caller sees is settled by its type.
    const { writes, value } = collectWrites(scope, build as (transaction: SessionTransaction) => R);
    if (writes.length === 0) return { sequence: undefined, value };
    this.#count += 1;
    const sequence = this.state.epoch * EPOCH_SIZE + this.#count;
    this.state.index.apply(scope, writes, sequence);
    if (scope.kind === "session") {
      this.state.history.push({ sequence, writes: writes.filter(({ kind }) => kind !== "retire") });
    }
    this.peakBytes = Math.max(this.peakBytes, sidecarBytes(this.state));
    return { sequence, value };
  }

  async fork(
    target: string,
    { upTo = Infinity }: { readonly upTo?: Sequence | undefined } = {},
  ): Promise<SessionStorage> {
    this.refuseClosed();
    const history = this.state.history.filter(({ sequence }) => sequence <= upTo);
    return this.#createFork(target, this.state.epoch, history);
  }

  override async close(): Promise<void> {
    await super.close();
    if (this.#isOpen) this.state.isWritten = false;
    this.#isOpen = false;
  }
}

function refuseWritten(sessionId: string, { isWritten }: MemoryState): void {
  if (!isWritten) return;
  throw new StorageError(
    "session_locked",
    `Session ${sessionId} is written by this process (pid ${process.pid}); close it first.`,
  );
}

function sidecarBytes({ index }: MemoryState): number {
  return [...index.sidecars.values()].reduce((sum, scope) => sum + scope.bytes, 0);
}
