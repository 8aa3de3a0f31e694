import type { Batch, Json } from "../delta/index.js";
import type { CallStop, Entry } from "./entry.js";
import type { EntryId, LaneId, MessageId, OperationId, ToolCallId, TurnId } from "./ids.js";
import type { StopReason } from "./message.js";

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

/** An entry that no earlier event of this lane let a consumer fold. */
export interface EntryAdded {
  readonly type: "entry_added";
  readonly entry: Entry;
}

export interface OperationEnd {
  readonly type: "operation_end";
  readonly operationId: OperationId;
  readonly status: OperationStatus;
  readonly reason?: string;
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
  | EntryAdded
  | OperationEnd;

/** Events that belong together: a fold of them is flushed once. */
export type EventGroup = readonly HarnessEvent[];
