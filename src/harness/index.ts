export { BASE_TAG, operationToolMemo, pendingAssistantOutput, pendingToolOutput } from "./addresses.js";
export type {
  DurabilityOptions,
  Harness,
  HarnessOptions,
  Lane,
  LaneSubscriber,
  Operation,
  OperationResult,
  RecoveredOperation,
  RecoveryReport,
} from "./contract.js";
