import type { EphemeralScope, ListAddress, Scope, ValueAddress } from "./address.js";
import { checkId, checkKey, checkReadOptions } from "./check.js";
import type {
  Committed,
  ListPage,
  ReadListOptions,
  Sequence,
  SessionReader,
  SessionStorage,
  SessionTransaction,
  Storage,
  StorageUsage,
  StoredKey,
  TransactionOf,
} from "./contract.js";
import { StorageError } from "./errors.js";
import { ScopeState } from "./scope-state.js";
import { collectWrites } from "./transaction.js";
import type { Write } from "./writes.js";

/** Sessions that live as long as this object: the whole contract without a disk. Elements are kept as JSON text. */
export function createMemoryStorage(): Storage {
  return new MemoryStorage();
}

/** One opening's share of the sequence numbers. */
const EPOCH_SIZE = 2 ** 32;

/** What outlives the openings of one session. */
interface SessionState {
  epoch: number;
  /** Every write of the session scope, because a fork wants values as they were. */
  readonly history: { readonly sequence: Sequence; readonly writes: readonly Write[] }[];
  readonly main: ScopeState;
  /** In the order of their first write. */
  readonly sidecars: Map<string, ScopeState>;
  isWritten: boolean;
}

class MemoryStorage implements Storage {
  readonly #sessions = new Map<string, SessionState>();

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

  #createFrom(sessionId: string, epoch: number, history: SessionState["history"]): SessionStorage {
    checkId("session", sessionId);
    if (this.#sessions.has(sessionId)) {
      throw new StorageError("session_exists", `Session ${sessionId} exists; open it, or choose another id.`);
    }
    const state = { epoch, history, main: new ScopeState(), sidecars: new Map<string, ScopeState>(), isWritten: false };
    for (const { sequence, writes } of history) for (const write of writes) state.main.apply(write, sequence);
    this.#sessions.set(sessionId, state);
    return this.#write(sessionId, state);
  }

  #write(sessionId: string, state: SessionState): SessionStorage {
    state.isWritten = true;
    state.epoch += 1;
    return new MemorySession(sessionId, state, (target, epoch, history) => this.#createFrom(target, epoch, history));
  }

  #find(sessionId: string): SessionState {
    checkId("session", sessionId);
    const state = this.#sessions.get(sessionId);
    if (state === undefined) throw new StorageError("session_unknown", `There is no session ${sessionId}.`);
    return state;
  }
}

class MemoryReader implements SessionReader {
  readonly sessionId: string;
  protected readonly state: SessionState;
  protected peakBytes: number;
  #closed = false;

  constructor(sessionId: string, state: SessionState) {
    this.sessionId = sessionId;
    this.state = state;
    this.peakBytes = sidecarBytes(state);
  }

  async readValue<T>(address: ValueAddress<Scope, T>): Promise<T | undefined> {
    return this.find(address)?.readValue(address.key) as T | undefined;
  }

  async readList<T>(address: ListAddress<Scope, T>, options: ReadListOptions = {}): Promise<ListPage<T>> {
    const limit = checkReadOptions(options);
    return this.find(address)?.readList<T>(address.key, limit, options) ?? { elements: [] };
  }

  async liveScopes(): Promise<readonly EphemeralScope[]> {
    this.refuseClosed();
    return [...this.state.sidecars].filter(([, scope]) => !scope.isEmpty).map(([id]) => ({ kind: "ephemeral", id }));
  }

  async listKeys(scope: Scope): Promise<readonly StoredKey[]> {
    return this.find({ scope, key: "any" })?.keys() ?? [];
  }

  async usage(): Promise<StorageUsage> {
    this.refuseClosed();
    const { main } = this.state;
    return { mainBytes: main.bytes, sidecarBytes: sidecarBytes(this.state), sidecarPeakBytes: this.peakBytes };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  protected find({ scope, key }: { readonly scope: Scope; readonly key: string }): ScopeState | undefined {
    this.refuseClosed();
    checkKey(key);
    if (scope.kind === "session") return this.state.main;
    checkId("scope", scope.id);
    return this.state.sidecars.get(scope.id);
  }

  protected refuseClosed(): void {
    if (this.#closed) throw new StorageError("closed", `Session ${this.sessionId} was closed; open it again.`);
  }
}

type CreateFork = (target: string, epoch: number, history: SessionState["history"]) => SessionStorage;

class MemorySession extends MemoryReader implements SessionStorage {
  readonly #createFork: CreateFork;
  #count = 0;
  #isOpen = true;

  constructor(sessionId: string, state: SessionState, createFork: CreateFork) {
    super(sessionId, state);
    this.#createFork = createFork;
  }

  async commit<S extends Scope, R>(scope: S, build: (transaction: TransactionOf<S>) => R): Promise<Committed<R>> {
    this.refuseClosed();
    if (scope.kind === "ephemeral") checkId("scope", scope.id);
    // One object serves both kinds of transaction; which methods the caller sees is settled by its type.
    const { writes, value } = collectWrites(scope, build as (transaction: SessionTransaction) => R);
    if (writes.length === 0) return { sequence: undefined, value };
    this.#count += 1;
    const sequence = this.state.epoch * EPOCH_SIZE + this.#count;
    this.#apply(scope, writes, sequence);
    this.peakBytes = Math.max(this.peakBytes, sidecarBytes(this.state));
    return { sequence, value };
  }

  async fork(target: string, options: { readonly upTo?: Sequence | undefined } = {}): Promise<SessionStorage> {
    this.refuseClosed();
    const upTo = options.upTo ?? Infinity;
    const history = this.state.history.filter(({ sequence }) => sequence <= upTo);
    return this.#createFork(target, this.state.epoch, history);
  }

  override async close(): Promise<void> {
    await super.close();
    if (this.#isOpen) this.state.isWritten = false;
    this.#isOpen = false;
  }

  #apply(scope: Scope, writes: readonly Write[], sequence: Sequence): void {
    const { main, sidecars, history } = this.state;
    if (scope.kind === "ephemeral") {
      const sidecar = sidecars.get(scope.id) ?? new ScopeState();
      sidecars.set(scope.id, sidecar);
      for (const write of writes) sidecar.apply(write, sequence);
      return;
    }
    history.push({ sequence, writes: writes.filter(({ kind }) => kind !== "retire") });
    for (const write of writes) {
      if (write.kind === "retire") sidecars.delete(write.scopeId);
      else main.apply(write, sequence);
    }
  }
}

function refuseWritten(sessionId: string, { isWritten }: SessionState): void {
  if (!isWritten) return;
  throw new StorageError(
    "session_locked",
    `Session ${sessionId} is written by this process (pid ${process.pid}); close it first.`,
  );
}

function sidecarBytes({ sidecars }: SessionState): number {
  return [...sidecars.values()].reduce((sum, scope) => sum + scope.bytes, 0);
}
