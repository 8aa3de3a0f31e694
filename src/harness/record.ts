import type {
  Approval,
  AssistantEntry,
  Entry,
  EntryId,
  Json,
  LaneId,
  OperationId,
  OperationStatus,
  PendingApproval,
  SummaryEntry,
  ToolCallId,
  ToolEntry,
  Usage,
  UserEntry,
} from "../protocol/index.js";

/** What is stored of a lane's operation. One a lane: the next operation takes its place. */
export interface OperationRecord {
  readonly id: OperationId;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly status: "running" | OperationStatus;
  /** Unix milliseconds; absent while it runs. */
  readonly endedAt?: number;
  readonly reason?: string;
  readonly usage?: Usage;
  /** While it runs: its calls are a program's own, and there is no model to go on with. */
  readonly direct?: true;
  /** What the lane's operations that settled consumed, this one included once it has. */
  readonly laneUsage?: Usage;
}

/** A call of a lane's operation about which someone was asked, kept until the operation ends. */
export interface ApprovalRecord {
  readonly operationId: OperationId;
  readonly toolCallId: ToolCallId;
  readonly pending: PendingApproval;
  readonly changedArgs?: Json;
  /** Absent until it is decided. */
  readonly approval?: Approval;
}

/** What a forked lane begins with: the entries of another one up to and with this entry. */
export interface LaneOrigin {
  readonly laneId: LaneId;
  readonly entryId: EntryId;
}

/** An entry as stored: a call's arguments stand in its message and not here again. */
export type StoredEntry = UserEntry | AssistantEntry | StoredToolEntry | SummaryEntry;

export type StoredToolEntry = Omit<ToolEntry, "args">;

export function toStoredEntry(entry: Entry): StoredEntry {
  if (entry.type !== "tool") return entry;
  const { args: _args, ...stored } = entry;
  return stored;
}
