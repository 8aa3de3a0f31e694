export {
  BASE_TAG,
  laneEntries,
  laneOperation,
  operationToolMemo,
  pendingAssistantOutput,
  pendingToolOutput,
  sessionLanes,
} from "./addresses.js";
export { ABORT_GRACE_MS } from "./call.js";
export type {
  DirectCall,
  DurabilityOptions,
  Harness,
  HarnessOptions,
  Lane,
  LaneSubscriber,
  Operation,
  OperationResult,
  RecoveredOperation,
  RecoveryOptions,
  RecoveryReport,
} from "./contract.js";
export type { HarnessCounters, StreamCounters } from "./counters.js";
export { HarnessError } from "./errors.js";
export type { HarnessErrorCode } from "./errors.js";
export { DEFAULT_LANE, DEFAULT_MAX_PARALLEL_CALLS, openHarness } from "./harness.js";
export { executionsOf, readLane, readLanes, readLaneView, toLaneView } from "./history.js";
export type { StoredLane, UnsettledCall, UnsettledOperation } from "./history.js";
export { DEFAULT_BASE_ELEMENTS, DEFAULT_DURABLE_INTERVAL_MS, DEFAULT_DURABLE_MAX_BYTES } from "./journal.js";
export { MAX_PROMPT_BYTES } from "./lane-work.js";
export type { OperationRecord, StoredEntry, StoredToolEntry } from "./record.js";
