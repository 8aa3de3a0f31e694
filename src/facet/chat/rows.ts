import type { Json } from "../../delta/index.js";
import type {
  AssistantEntry,
  AssistantState,
  CallStop,
  Entry,
  QueuedMessage,
  StopReason,
  SummaryEntry,
  ToolEntry,
  ToolOutputState,
  UserEntry,
} from "../../protocol/index.js";
import { clipArgs, clipText, MAX_PROMPT_LENGTH } from "./clip.js";
import type {
  ChatAssistantRow,
  ChatQueued,
  ChatRow,
  ChatRowState,
  ChatState,
  ChatSummaryRow,
  ChatToolOutput,
  ChatToolRow,
  ChatUserRow,
} from "./state.js";
import { visibleMessage } from "./visible-message.js";
import { visibleOutput } from "./visible-output.js";

/** The row of an entry that lies at a position of the lane's transcript. */
export function entryRow(entry: Entry, position: number): ChatRow {
  if (entry.type === "user") return userRow(entry, position);
  if (entry.type === "summary") return summaryRow(entry, position);
  return entry.type === "assistant" ? assistantRow(entry, position) : toolRow(entry, position);
}

function userRow({ id, operationId, at, text }: UserEntry, position: number): ChatUserRow {
  const shown = clipText(text, MAX_PROMPT_LENGTH);
  return {
    type: "user",
    operationId,
    position,
    entryId: id,
    at,
    text: shown,
    ...(shown !== text && { cut: true }),
  };
}

function summaryRow({ id, operationId, at, text, entries }: SummaryEntry, position: number): ChatSummaryRow {
  const shown = clipText(text, MAX_PROMPT_LENGTH);
  const cut = shown !== text && { cut: true as const };
  return { type: "summary", operationId, position, entryId: id, at, text: shown, ...cut, entries };
}

export function showQueued({ id, kind, text }: QueuedMessage): ChatQueued {
  const shown = clipText(text, MAX_PROMPT_LENGTH);
  return { id, kind, text: shown, ...(shown !== text && { cut: true }) };
}

function assistantRow(
  { id, operationId, at, message, stopReason }: AssistantEntry,
  position: number,
): ChatAssistantRow {
  return {
    type: "assistant",
    operationId,
    state: messageOutcome(stopReason),
    message: showMessage(message),
    stopReason,
    position,
    entryId: id,
    at,
  };
}

function toolRow(entry: ToolEntry, position: number): ChatToolRow {
  return {
    ...openToolRow(entry.operationId, { ...entry, id: entry.toolCallId, name: entry.toolName }),
    ...(entry.approval !== undefined && { approval: entry.approval }),
    state: callOutcome(entry.isError, entry.stopped),
    output: showOutput(entry.output),
    position,
    entryId: entry.id,
    at: entry.at,
  };
}

export interface StartedCall {
  readonly id: string;
  readonly name: string;
  readonly args: Json;
  readonly changedArgs?: Json;
}

/** The row of a call that has just begun. */
export function openToolRow(operationId: string, { id, name, args, changedArgs }: StartedCall): ChatToolRow {
  const shown = clipArgs(args);
  return {
    type: "tool",
    operationId,
    toolCallId: id,
    toolName: name,
    args: shown,
    ...(shown !== args && { argsCut: true }),
    ...(changedArgs !== undefined && { changedArgs: clipArgs(changedArgs) }),
    state: "running",
  };
}

export function messageOutcome(stopReason: StopReason): ChatRowState {
  if (stopReason === "aborted") return "aborted";
  return stopReason === "error" ? "failed" : "done";
}

export function callOutcome(isError: boolean, stopped: CallStop | undefined): ChatRowState {
  return isError ? (stopped ?? "failed") : "done";
}

export function showMessage(message: AssistantState): AssistantState {
  return visibleMessage.value([], message as unknown as Json) as unknown as AssistantState;
}

export function showOutput(output: ToolOutputState): ChatToolOutput {
  return visibleOutput.value([], output as unknown as Json) as unknown as ChatToolOutput;
}

/** Whether the row is an entry of the transcript by now. */
export function isSettled(row: ChatRow): boolean {
  return row.position !== undefined;
}

/** Where the next entry will lie: the settled rows are all the entries from `earlier` on. */
export function nextPosition(state: ChatState): number {
  return state.earlier + state.rows.filter(isSettled).length;
}
