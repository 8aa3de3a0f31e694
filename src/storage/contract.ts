import type { EphemeralScope, ListAddress, Scope, SessionScope, ValueAddress } from "./address.js";

/**
 * The durable state of one session. Elements are JSON and opaque: a backend keeps their text.
 *
 * One commit is one transaction of one scope. It is acknowledged, by its promise, when it is durable by its policy.
 */
export interface SessionStorage {
  readonly sessionId: string;

  /**
   * Runs `build` synchronously and once, when the commit's place in the order is fixed, and writes what it stated, all
   * or nothing. What `build` throws aborts the commit and rejects with it. A `build` that states nothing writes nothing.
   */
  commit<S extends Scope, R>(
    scope: S,
    build: (transaction: TransactionOf<S>) => R,
    options?: CommitOptions,
  ): Promise<Committed<R>>;

  /** The value, or `undefined` where none is or its scope was retired. */
  readValue<T>(address: ValueAddress<Scope, T>): Promise<T | undefined>;

  /** One page of a list. */
  readList<T>(address: ListAddress<Scope, T>, options?: ReadListOptions): Promise<ListPage<T>>;

  /** Ephemeral scopes that hold something and were not retired, in the order of their first write. */
  liveScopes(): Promise<readonly EphemeralScope[]>;

  /** Keys of a scope that hold something, in the order of their first write. */
  listKeys(scope: Scope): Promise<readonly StoredKey[]>;

  /** What the session occupies now. */
  usage(): Promise<StorageUsage>;

  /**
   * Copies session-scoped history to a new session: of each list the elements up to and with sequence `upTo`, of each
   * value what it was then. Ephemeral state is not copied.
   */
  fork(target: string, options?: { readonly upTo?: Sequence | undefined }): Promise<SessionStorage>;

  /** Waits for what was committed and gives the session back. Later calls fail with `closed`. */
  close(): Promise<void>;
}

/**
 * A place in the one order of a session's commits, over main log and sidecars. Rises strictly, may have gaps, is never
 * used again: epoch of the opening × 2^32 + n.
 */
export type Sequence = number;

/** `always`: on disk before the acknowledgement. `interval`: with the next sync, at most a second later. */
export type SyncPolicy = "always" | "interval";

export interface CommitOptions {
  /** Default `always`. The session scope is always `always`. */
  readonly sync?: SyncPolicy | undefined;
}

export interface Committed<R> {
  /** `undefined` when `build` stated nothing. */
  readonly sequence: Sequence | undefined;
  readonly value: R;
}

/** States the writes of one commit; of no use after `build` returned. Invariant in its scope, so scopes cannot mix. */
export interface Transaction<in out S extends Scope> {
  readonly scope: S;
  readonly set: <T>(address: ValueAddress<S, T>, value: T) => void;
  readonly delete: <T>(address: ValueAddress<S, T>) => void;
  readonly append: <T>(address: ListAddress<S, T>, element: T, options?: AppendOptions) => void;
  /** Empties a list: what it held is dead. */
  readonly clear: <T>(address: ListAddress<S, T>) => void;
}

/** The main log's transaction, which alone can end an ephemeral scope. */
export interface SessionTransaction extends Transaction<SessionScope> {
  /**
   * Ends everything in the scope up to this commit's sequence, together with the other writes of the commit or not at
   * all. A later write to the same id starts a new life with nothing in it.
   */
  readonly retireScope: (scope: EphemeralScope) => void;
}

/** A scope that is only known as "some scope" gives no transaction, so that a mixed commit does not compile. */
export type TransactionOf<S extends Scope> = [S] extends [SessionScope]
  ? SessionTransaction
  : [S] extends [EphemeralScope]
    ? Transaction<S>
    : never;

export interface AppendOptions {
  /** 1 to 64 characters of `[a-z0-9_-]`; what `stopAtTag` looks for. */
  readonly tag?: string | undefined;
  /** Whether every element before this one in its list is dead from now on. Default false. */
  readonly supersedes?: boolean | undefined;
}

export interface ReadListOptions {
  /** Default `asc`: oldest first. */
  readonly order?: "asc" | "desc" | undefined;
  /** The `next` of the page before. */
  readonly cursor?: ListCursor | undefined;
  /** Most elements of a page. Default 100, at most 10,000. */
  readonly limit?: number | undefined;
  /** Ends the reading with the first element that bears this tag, which is part of the page. */
  readonly stopAtTag?: string | undefined;
}

/** Opaque. Stays good while the list is appended to. */
export type ListCursor = string;

export interface ListPage<T> {
  readonly elements: readonly ListElement<T>[];
  /** Where to read on; absent at the end of the list, and where `stopAtTag` ended it. */
  readonly next?: ListCursor;
}

export interface ListElement<T> {
  readonly value: T;
  readonly sequence: Sequence;
  readonly tag?: string;
}

export interface StoredKey {
  readonly kind: "value" | "list";
  readonly key: string;
}

export interface StorageUsage {
  /** Bytes of the main log. */
  readonly mainBytes: number;
  /** Bytes of all sidecars. */
  readonly sidecarBytes: number;
  /** The most that all sidecars together held since the session was opened. */
  readonly sidecarPeakBytes: number;
}

/** Where sessions lie. */
export interface Storage {
  /** Makes a session; one that exists is refused with `session_exists`. */
  create(sessionId: string): Promise<SessionStorage>;
  /** Opens a session for writing; refused with `session_unknown`, `session_locked`, `damaged`. */
  open(sessionId: string): Promise<SessionStorage>;
  /** Opens a session for reading beside its writer; writes nothing. */
  read(sessionId: string): Promise<SessionReader>;
  list(): Promise<readonly string[]>;
  remove(sessionId: string): Promise<void>;
}

/** What can be asked of a session without being its writer. */
export type SessionReader = Pick<
  SessionStorage,
  "sessionId" | "readValue" | "readList" | "liveScopes" | "listKeys" | "usage" | "close"
>;
