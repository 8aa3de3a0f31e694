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
export type { StorageDiagnostic } from "./jsonl/diagnostics.js";
export type { FileLayer, FileStat, OpenFile } from "./jsonl/file-layer.js";
export {
  createJsonlStorage,
  DEFAULT_MIN_MAIN_DEAD_BYTES,
  DEFAULT_OUTPUT_CAP_BYTES,
  DEFAULT_SYNC_INTERVAL_MS,
} from "./jsonl/jsonl-storage.js";
export type { JsonlStorage, JsonlStorageOptions } from "./jsonl/jsonl-storage.js";
export type { LogInspection, LogState } from "./jsonl/inspection.js";
export type { LogDamage } from "./jsonl/log-scan.js";
export type { RepairedFile } from "./jsonl/repair-session.js";
export type { SessionVerification, VerifiedFile } from "./jsonl/verify-session.js";
export type { Compaction } from "./jsonl/main-log.js";
export type { HeldLock, LockPurpose, RefusedLock, SessionLocks } from "./jsonl/session-lock.js";
export type { Timers } from "./jsonl/timers.js";
export { createMemoryStorage } from "./memory.js";
