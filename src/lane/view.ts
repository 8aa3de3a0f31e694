import type {
  AssistantState,
  Entry,
  Json,
  MessageId,
  OperationId,
  ToolCallId,
  ToolOutputState,
} from "../protocol/index.js";

/** A lane as plain state: what it said, and what it is doing. */
export interface LaneView {
  transcript: Entry[];
  operation: LaneOperation | null;
  /** How many entries of the lane come before `transcript` and are not held here; absent when it begins at the start. */
  earlier?: number;
}

export interface LaneOperation {
  readonly id: OperationId;
  message?: LaneMessage;
  tools: LaneTool[];
  /** Set where the view was read from storage and no process works on the operation. */
  abandoned?: true;
}

export interface LaneMessage {
  readonly id: MessageId;
  readonly role: "assistant";
  /** Absent until the first base batch. */
  state?: AssistantState;
  /** Set where a bounded copy of the view gave the state up as too large. */
  withheld?: true;
}

export interface LaneTool {
  readonly id: ToolCallId;
  readonly name: string;
  readonly args: Json;
  /** Absent until the first base batch. */
  output?: ToolOutputState;
  /** Set where a bounded copy of the view gave arguments and output up as too large. */
  withheld?: true;
}

export function emptyLaneView(): LaneView {
  return { transcript: [], operation: null };
}
