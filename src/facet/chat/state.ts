import type {
  Approval,
  AssistantState,
  EntryId,
  Json,
  MessageId,
  OperationId,
  OperationStatus,
  PendingApproval,
  QueueKind,
  RetryState,
  StopReason,
  ToolCallId,
  ToolOutputState,
} from "../../protocol/index.js";

/** A lane as a person reads it: one row an item, changed in place until it is settled. */
export interface ChatState {
  /**
   * So many entries come before the first one held here and are to be had by page: the settled rows are all the entries
   * at this position of the lane's transcript and after it.
   */
  earlier: number;
  /** In the order in which they began. */
  rows: ChatRow[];
  /** The operation that runs, or the last one if its end was seen here. */
  operation: ChatOperation | null;
  /** What was said and has not joined an operation yet, oldest first; absent where nothing is. */
  queue?: ChatQueued[];
}

export interface ChatQueued {
  /** The entry that it becomes. */
  readonly id: EntryId;
  readonly kind: QueueKind;
  readonly text: string;
  /** Set where the text was cut. */
  readonly cut?: true;
}

export interface ChatOperation {
  readonly id: OperationId;
  /** `interrupted` also where no process works on it any more. */
  state: "running" | OperationStatus;
  reason?: string;
  /** Set while the model is not answering and is to be asked again. */
  retry?: RetryState;
}

export type ChatRow = ChatUserRow | ChatAssistantRow | ChatToolRow | ChatSummaryRow;

/** What a row has from when it is an entry of the transcript. */
export interface ChatPlace {
  /** Position in the lane's transcript, from 0. Absent while the row is open. */
  position?: number;
  entryId?: EntryId;
  /** Unix milliseconds. */
  at?: number;
}

export interface ChatUserRow extends ChatPlace {
  readonly type: "user";
  readonly operationId: OperationId;
  readonly text: string;
  /** Set where the text was cut; the whole of it is in the entry. */
  readonly cut?: true;
}

/** Where what is before was summed up for the model. */
export interface ChatSummaryRow extends ChatPlace {
  readonly type: "summary";
  readonly operationId: OperationId;
  readonly text: string;
  /** Set where the text was cut; the whole of it is in the entry. */
  readonly cut?: true;
  /** How many entries of the lane it stands for. */
  readonly entries: number;
}

/** `waiting`: for someone's decision. `interrupted`: the process that worked on it died. */
export type ChatRowState = "running" | "waiting" | "done" | "failed" | "aborted" | "interrupted";

export interface ChatAssistantRow extends ChatPlace {
  readonly type: "assistant";
  readonly operationId: OperationId;
  state: ChatRowState;
  /** While the row is open. */
  messageId?: MessageId;
  /** Absent until it begins. Its calls have no `args` and an empty `input`: those are in their own rows. */
  message?: AssistantState;
  stopReason?: StopReason;
  /** Set where the message was given up as too large; the whole of it is in the entry. */
  withheld?: true;
}

export interface ChatToolRow extends ChatPlace {
  readonly type: "tool";
  readonly operationId: OperationId;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: Json;
  /** Set where the arguments were cut; the whole of them is in the entry. */
  readonly argsCut?: true;
  /** What a hook put in the place of `args`, and the tool is given; cut as they are. */
  readonly changedArgs?: Json;
  /** Set while the call waits for a decision. */
  pendingApproval?: PendingApproval;
  /** What was decided. */
  approval?: Approval;
  state: ChatRowState;
  /** Absent until it begins. */
  output?: ChatToolOutput;
  /** Set where the output was given up as too large; the whole of it is in the entry. */
  withheld?: true;
}

/** A call's output without what a person does not read: `data` of images is empty, of the details the spill is left. */
export type ChatToolOutput = ToolOutputState<ChatToolDetails>;

export interface ChatToolDetails {
  spillPath?: string;
}
