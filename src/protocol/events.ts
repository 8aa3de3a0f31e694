import type { Batch, Json } from "../delta/index.js";
import type { Approval, PendingApproval } from "./approval.js";
import type { CallStop, Entry } from "./entry.js";
import type { EntryId, LaneId, MessageId, OperationId, ToolCallId, TurnId } from "./ids.js";
import type { StopReason } from "./message.js";
import type { QueuedMessage } from "./queue.js";
import type { Usage } from "./tool-output.js";

export type OperationStatus = "completed" | "failed" | "aborted" | "interrupted";

export interface OperationStart {
  readonly type: "operation_start";
  readonly operationId: OperationId;
  readonly laneId: LaneId;
}

export interface MessageStart {
  readonly type: "message_start";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly messageId: MessageId;
  readonly role: "assistant";
}

export interface MessageUpdate {
  readonly type: "message_update";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly messageId: MessageId;
  readonly ops: Batch;
}

export interface MessageEnd {
  readonly type: "message_end";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly messageId: MessageId;
  readonly entryId: EntryId;
  readonly stopReason: StopReason;
  /** The entry's time, Unix milliseconds. */
  readonly at: number;
}

export interface ToolStart {
  readonly type: "tool_start";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: Json;
  /** As in the entry. */
  readonly changedArgs?: Json;
}

export interface ToolUpdate {
  readonly type: "tool_update";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly toolCallId: ToolCallId;
  readonly ops: Batch;
}

export interface ToolEnd {
  readonly type: "tool_end";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly toolCallId: ToolCallId;
  readonly isError: boolean;
  /** As in the entry. */
  readonly stopped?: CallStop;
  readonly entryId: EntryId;
  /** The entry's time, Unix milliseconds. */
  readonly at: number;
}

/** A call that was started waits for a decision; nothing of it is run before. Ends with the decision, or with the call. */
export interface ApprovalRequest {
  readonly type: "approval_request";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly toolCallId: ToolCallId;
  readonly pending: PendingApproval;
}

export interface ApprovalEnd {
  readonly type: "approval_end";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly toolCallId: ToolCallId;
  readonly approval: Approval;
}

/** The model failed in a way that may pass, and is asked again later. What it had said stands until its next word. */
export interface ModelRetry {
  readonly type: "model_retry";
  readonly operationId: OperationId;
  readonly turnId: TurnId;
  readonly retry: RetryState;
}

export interface RetryState {
  /** Requests that failed in a row. */
  readonly failures: number;
  readonly maxAttempts: number;
  /** When it is asked again, Unix milliseconds. */
  readonly at: number;
  readonly code: string;
  readonly reason: string;
}

export interface MessageQueued {
  readonly type: "message_queued";
  readonly message: QueuedMessage;
}

/** A queued message that will not join. */
export interface MessageWithdrawn {
  readonly type: "message_withdrawn";
  readonly id: EntryId;
}

/** An entry that no earlier event of this lane let a consumer fold. One of a queued message takes it out of the queue. */
export interface EntryAdded {
  readonly type: "entry_added";
  readonly entry: Entry;
}

export interface OperationEnd {
  readonly type: "operation_end";
  readonly operationId: OperationId;
  readonly status: OperationStatus;
  readonly reason?: string;
  /** What all of it consumed. */
  readonly usage: Usage;
}

/**
 * What happens in a lane, in one total order. Per call and per message: a start, updates of which the first is a base
 * batch, an end, and nothing after it. What a consumer folded from updates is not sent again.
 */
export type HarnessEvent =
  | OperationStart
  | MessageStart
  | MessageUpdate
  | MessageEnd
  | ToolStart
  | ToolUpdate
  | ToolEnd
  | ApprovalRequest
  | ApprovalEnd
  | ModelRetry
  | MessageQueued
  | MessageWithdrawn
  | EntryAdded
  | OperationEnd;

/** Events that belong together: a fold of them is flushed once. */
export type EventGroup = readonly HarnessEvent[];
