import type { Json } from "../delta/index.js";
import type { EntryId, OperationId, ToolCallId } from "./ids.js";
import type { Approval } from "./approval.js";
import type { AssistantState, StopReason } from "./message.js";
import type { QueueKind } from "./queue.js";
import type { ToolOutputState, Usage } from "./tool-output.js";

/** `aborted`: someone stopped it. `interrupted`: the process that ran it died, and its effects may exist. */
export type CallStop = "aborted" | "interrupted";

interface EntryBase {
  readonly id: EntryId;
  readonly operationId: OperationId;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface UserEntry extends EntryBase {
  readonly type: "user";
  readonly text: string;
  /** Set where it did not begin its operation and joined it later. */
  readonly queuedAs?: QueueKind;
}

export interface AssistantEntry extends EntryBase {
  readonly type: "assistant";
  readonly message: AssistantState;
  readonly stopReason: StopReason;
}

export interface ToolEntry extends EntryBase {
  readonly type: "tool";
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  /** As the model stated them. */
  readonly args: Json;
  /** What a hook put in their place, and the tool was given. */
  readonly changedArgs?: Json;
  /** What was decided where someone was asked. */
  readonly approval?: Approval;
  readonly isError: boolean;
  /** What ended a call that did not end by itself. */
  readonly stopped?: CallStop;
  readonly output: ToolOutputState;
}

/**
 * Stands, in what the model is told, for all entries of its lane up to and with `through`. It lies where it was made: what
 * it stands for, and what came between, is in the transcript as before.
 */
export interface SummaryEntry extends EntryBase {
  readonly type: "summary";
  readonly text: string;
  readonly through: EntryId;
  /** How many entries those are. */
  readonly entries: number;
  readonly usage?: Usage;
}

/** An immutable item of the transcript. */
export type Entry = UserEntry | AssistantEntry | ToolEntry | SummaryEntry;
