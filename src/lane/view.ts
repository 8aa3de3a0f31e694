import type {
  Approval,
  AssistantState,
  Entry,
  Json,
  MessageId,
  OperationId,
  PendingApproval,
  QueuedMessage,
  RetryState,
  ToolCallId,
  ToolOutputState,
  Usage,
} from "../protocol/index.js";

/** A lane as plain state: what it said, and what it is doing. */
export interface LaneView {
  transcript: Entry[];
  operation: LaneOperation | null;
  /** How many entries of the lane come before `transcript` and are not held here; absent when it begins at the start. */
  earlier?: number;
  /** What was said and has not joined an operation yet, oldest first; absent where nothing is. */
  queue?: QueuedMessage[];
  /** What the operations that settled consumed in all; absent before the first. */
  usage?: Usage;
}

export interface LaneOperation {
  readonly id: OperationId;
  message?: LaneMessage;
  tools: LaneTool[];
  /** Set while the model is not answering and is to be asked again. */
  retry?: RetryState;
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
  /** What a hook put in the place of `args`. */
  readonly changedArgs?: Json;
  /** Set while the call waits for a decision. */
  pendingApproval?: PendingApproval;
  /** What was decided. */
  approval?: Approval;
  /** Absent until the first base batch. */
  output?: ToolOutputState;
  /** Set where a bounded copy of the view gave arguments and output up as too large. */
  withheld?: true;
}

export function emptyLaneView(): LaneView {
  return { transcript: [], operation: null };
}
