export { ephemeralScope, listAddress, sessionScope, valueAddress } from "./address.js";
export type { EphemeralScope, ListAddress, Scope, SessionScope, ValueAddress } from "./address.js";
export type {
  AppendOptions,
  CommitOptions,
  Committed,
  ListCursor,
  ListElement,
  ListPage,
  ReadListOptions,
  Sequence,
  SessionReader,
  SessionStorage,
  SessionTransaction,
  Storage,
  StorageUsage,
  StoredKey,
  SyncPolicy,
  Transaction,
  TransactionOf,
} from "./contract.js";
export { StorageError } from "./errors.js";
export type { StorageErrorCode } from "./errors.js";
export { createMemoryStorage } from "./memory.js";
