export {
  BASE_TAG,
  laneApprovals,
  laneEntries,
  laneOperation,
  laneOrigin,
  laneQueue,
  operationToolMemo,
  pendingAssistantOutput,
  pendingToolOutput,
  sessionLanes,
  sessionPolicy,
} from "./addresses.js";
export { ABORT_GRACE_MS } from "./call.js";
export type {
  ContextOptions,
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
  RetryOptions,
} from "./contract.js";
export type { HarnessCounters, StreamCounters } from "./counters.js";
export { HarnessError } from "./errors.js";
export type { HarnessErrorCode } from "./errors.js";
export { DEFAULT_LANE, openHarness } from "./harness.js";
export { executionsOf, readLane, readLanes, readLaneView, toLaneView } from "./history.js";
export type { StoredLane, UnsettledCall, UnsettledOperation } from "./history.js";
export { DEFAULT_BASE_ELEMENTS, DEFAULT_DURABLE_INTERVAL_MS, DEFAULT_DURABLE_MAX_BYTES } from "./journal.js";
export { MAX_PROMPT_BYTES } from "./lane-work.js";
export {
  DEFAULT_BASE_DELAY_MS,
  DEFAULT_KEEP_ANSWERS,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_MAX_DELAY_MS,
  DEFAULT_MAX_PARALLEL_CALLS,
  DEFAULT_MAX_RETRY_AFTER_MS,
  DEFAULT_MAX_TURNS,
  DEFAULT_STALL_MS,
  DEFAULT_SUMMARIZE_AT,
} from "./limits.js";
export { MAX_QUEUED_BYTES, MAX_QUEUED_MESSAGES } from "./queue.js";
export { MAX_POLICY_TOOLS } from "./permission/policy.js";
export type {
  BeforeTool,
  CheckedCall,
  Decision,
  Permission,
  PermissionPolicy,
  Verdict,
} from "./permission/contract.js";
export type { ApprovalRecord, LaneOrigin, OperationRecord, StoredEntry, StoredToolEntry } from "./record.js";
