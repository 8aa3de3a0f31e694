import type {
  AssistantEntry,
  Entry,
  OperationId,
  OperationStatus,
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
}

/** An entry as stored: a call's arguments stand in its message and not here again. */
export type StoredEntry = UserEntry | AssistantEntry | StoredToolEntry;

export type StoredToolEntry = Omit<ToolEntry, "args">;

export function toStoredEntry(entry: Entry): StoredEntry {
  if (entry.type !== "tool") return entry;
  const { args: _args, ...stored } = entry;
  return stored;
}
