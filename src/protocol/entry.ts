import type { Json } from "../delta/index.js";
import type { EntryId, OperationId, ToolCallId } from "./ids.js";
import type { AssistantState, StopReason } from "./message.js";
import type { ToolOutputState } from "./tool-output.js";

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
  readonly args: Json;
  readonly isError: boolean;
  /** What ended a call that did not end by itself. */
  readonly stopped?: CallStop;
  readonly output: ToolOutputState;
}

/** An immutable item of the transcript. */
export type Entry = UserEntry | AssistantEntry | ToolEntry;
