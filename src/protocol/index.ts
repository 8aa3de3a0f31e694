export type { Json } from "../delta/index.js";
export { PROTOCOL_VERSION } from "./version.js";
export { ID_PATTERN } from "./ids.js";
export type { EntryId, LaneId, MessageId, OperationId, SessionId, ToolCallId, TurnId } from "./ids.js";
export { addUsage, USAGE_FIELDS } from "./usage.js";
export type {
  ContentBlock,
  ImageBlock,
  OutputTruncation,
  SavedOutput,
  TextBlock,
  ToolOutputState,
  Usage,
} from "./tool-output.js";
export type {
  AssistantPart,
  AssistantState,
  AssistantText,
  AssistantThinking,
  AssistantToolCall,
  StopReason,
} from "./message.js";
export type { AssistantEntry, CallStop, Entry, SummaryEntry, ToolEntry, UserEntry } from "./entry.js";
export type { Approval, PendingApproval } from "./approval.js";
export type { QueuedMessage, QueueKind } from "./queue.js";
export type {
  ApprovalEnd,
  ApprovalRequest,
  EntryAdded,
  EventGroup,
  HarnessEvent,
  MessageEnd,
  MessageQueued,
  MessageStart,
  MessageUpdate,
  MessageWithdrawn,
  ModelRetry,
  OperationEnd,
  OperationStart,
  OperationStatus,
  RetryState,
  ToolEnd,
  ToolStart,
  ToolUpdate,
} from "./events.js";
export type { WireMessage } from "./wire.js";
