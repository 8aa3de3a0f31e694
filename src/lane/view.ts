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
}

export interface LaneOperation {
  readonly id: OperationId;
  message?: LaneMessage;
  tools: LaneTool[];
}

export interface LaneMessage {
  readonly id: MessageId;
  readonly role: "assistant";
  /** Absent until the first base batch. */
  state?: AssistantState;
}

export interface LaneTool {
  readonly id: ToolCallId;
  readonly name: string;
  readonly args: Json;
  /** Absent until the first base batch. */
  output?: ToolOutputState;
}

export function emptyLaneView(): LaneView {
  return { transcript: [], operation: null };
}
