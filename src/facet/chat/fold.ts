import { foldOps } from "../../lane/index.js";
import type {
  ApprovalEnd,
  ApprovalRequest,
  Entry,
  HarnessEvent,
  MessageEnd,
  MessageQueued,
  MessageStart,
  MessageUpdate,
  ModelRetry,
  OperationEnd,
  OperationId,
  OperationStart,
  ToolCallId,
  ToolEnd,
  ToolStart,
  ToolUpdate,
} from "../../protocol/index.js";
import { callOutcome, entryRow, isSettled, messageOutcome, nextPosition, openToolRow, showQueued } from "./rows.js";
import type { ChatAssistantRow, ChatRow, ChatState, ChatToolRow } from "./state.js";
import { visibleMessage } from "./visible-message.js";
import { visibleOps } from "./visible-ops.js";
import { visibleOutput } from "./visible-output.js";

/** Folds one event by mutation; false, and nothing changed, where it cannot be placed. */
export function foldChatEvent(state: ChatState, event: HarnessEvent, maxRows: number): boolean {
  switch (event.type) {
    case "operation_start":
      return startOperation(state, event);
    case "message_start":
      return startMessage(state, event);
    case "message_update":
      return updateMessage(state, event);
    case "message_end":
      return endMessage(state, event, maxRows);
    case "tool_start":
      return startTool(state, event);
    case "tool_update":
      return updateTool(state, event);
    case "tool_end":
      return endTool(state, event, maxRows);
    case "approval_request":
      return askApproval(state, event);
    case "approval_end":
      return endApproval(state, event);
    case "model_retry":
      return waitForModel(state, event);
    case "message_queued":
      return queueMessage(state, event);
    case "message_withdrawn":
      return leaveQueue(state, event.id);
    case "entry_added":
      return addEntry(state, event.entry, maxRows);
    case "operation_end":
      return endOperation(state, event);
    default:
      // A newer host may send what this version does not know.
      return false;
  }
}

function startOperation(state: ChatState, event: OperationStart): boolean {
  if (state.operation?.state === "interrupted" && state.operation.id === event.operationId) return goOn(state);
  if (hasOpenRow(state) || state.operation?.state === "running") return false;
  state.operation = { id: event.operationId, state: "running" };
  return true;
}

/** A process works again on what another one left. */
function goOn(state: ChatState): boolean {
  const { operation } = state;
  if (operation === null) return false;
  operation.state = "running";
  delete operation.reason;
  for (const row of state.rows) {
    if (isSettled(row)) continue;
    if (row.type === "assistant") row.state = "running";
    if (row.type === "tool") row.state = row.pendingApproval === undefined ? "running" : "waiting";
  }
  return true;
}

function startMessage(state: ChatState, event: MessageStart): boolean {
  if (!isRunning(state, event) || state.rows.some((row) => row.type === "assistant" && !isSettled(row))) return false;
  state.rows.push({
    type: "assistant",
    operationId: event.operationId,
    state: "running",
    messageId: event.messageId,
  });
  delete state.operation?.retry;
  return true;
}

function updateMessage(state: ChatState, event: MessageUpdate): boolean {
  const row = openMessage(state, event);
  if (row === undefined) return false;
  if (row.withheld === true) return true;
  const message = foldOps(row.message, visibleOps(visibleMessage, event.ops));
  if (message === undefined) return false;
  row.message = message;
  delete state.operation?.retry;
  return true;
}

function endMessage(state: ChatState, event: MessageEnd, maxRows: number): boolean {
  const row = openMessage(state, event);
  if (row === undefined || (row.message === undefined && row.withheld !== true)) return false;
  row.state = messageOutcome(event.stopReason);
  row.stopReason = event.stopReason;
  delete row.messageId;
  delete state.operation?.retry;
  settle(state, row, event, maxRows);
  return true;
}

function startTool(state: ChatState, event: ToolStart): boolean {
  if (!isRunning(state, event) || openTool(state, event) !== undefined) return false;
  state.rows.push(openToolRow(event.operationId, { ...event, id: event.toolCallId, name: event.toolName }));
  return true;
}

function updateTool(state: ChatState, event: ToolUpdate): boolean {
  const row = openTool(state, event);
  if (row === undefined) return false;
  if (row.withheld === true) return true;
  const output = foldOps(row.output, visibleOps(visibleOutput, event.ops));
  if (output === undefined) return false;
  row.output = output;
  return true;
}

function endTool(state: ChatState, event: ToolEnd, maxRows: number): boolean {
  const row = openTool(state, event);
  if (row === undefined || (row.output === undefined && row.withheld !== true)) return false;
  row.state = callOutcome(event.isError, event.stopped);
  delete row.pendingApproval;
  settle(state, row, event, maxRows);
  return true;
}

function askApproval(state: ChatState, event: ApprovalRequest): boolean {
  const row = openTool(state, event);
  if (row === undefined || row.output !== undefined || row.pendingApproval !== undefined) return false;
  row.pendingApproval = event.pending;
  row.state = "waiting";
  return true;
}

function endApproval(state: ChatState, event: ApprovalEnd): boolean {
  const row = openTool(state, event);
  if (row?.pendingApproval === undefined) return false;
  delete row.pendingApproval;
  row.approval = event.approval;
  row.state = "running";
  return true;
}

function waitForModel(state: ChatState, event: ModelRetry): boolean {
  if (!isRunning(state, event) || state.operation === null) return false;
  state.operation.retry = event.retry;
  return true;
}

function queueMessage(state: ChatState, { message }: MessageQueued): boolean {
  if (state.queue?.some(({ id }) => id === message.id) === true) return false;
  state.queue ??= [];
  state.queue.push(showQueued(message));
  return true;
}

function leaveQueue(state: ChatState, id: string): boolean {
  const index = state.queue?.findIndex((message) => message.id === id) ?? -1;
  if (index < 0) return false;
  state.queue?.splice(index, 1);
  if (state.queue?.length === 0) delete state.queue;
  return true;
}

function addEntry(state: ChatState, entry: Entry, maxRows: number): boolean {
  const isOpen = entry.type === "tool" && openTool(state, entry) !== undefined;
  if (isOpen || state.rows.some((row) => row.entryId === entry.id)) return false;
  state.rows.push(entryRow(entry, nextPosition(state)));
  leaveQueue(state, entry.id);
  dropOldest(state, maxRows);
  return true;
}

function endOperation(state: ChatState, event: OperationEnd): boolean {
  if (!isRunning(state, event) || hasOpenRow(state)) return false;
  state.operation = {
    id: event.operationId,
    state: event.status,
    ...(event.reason !== undefined && { reason: event.reason }),
  };
  return true;
}

/** The row stays where it is, with all its text: only its state and its place in the transcript are new. */
function settle(state: ChatState, row: ChatRow, event: MessageEnd | ToolEnd, maxRows: number): void {
  row.position = nextPosition(state);
  row.entryId = event.entryId;
  row.at = event.at;
  dropOldest(state, maxRows);
}

function dropOldest(state: ChatState, maxRows: number): void {
  while (nextPosition(state) - state.earlier > maxRows) {
    const oldest = state.rows.findIndex((row) => row.position === state.earlier);
    state.rows.splice(oldest, 1);
    state.earlier += 1;
  }
}

interface OfOperation {
  readonly operationId: OperationId;
}

function isRunning(state: ChatState, { operationId }: OfOperation): boolean {
  return state.operation?.id === operationId && state.operation.state === "running";
}

function hasOpenRow(state: ChatState): boolean {
  return state.rows.some((row) => !isSettled(row));
}

function openMessage(state: ChatState, event: MessageUpdate | MessageEnd): ChatAssistantRow | undefined {
  if (!isRunning(state, event)) return undefined;
  return state.rows.findLast(
    (row): row is ChatAssistantRow => row.type === "assistant" && !isSettled(row) && row.messageId === event.messageId,
  );
}

function openTool(state: ChatState, call: OfOperation & { readonly toolCallId: ToolCallId }): ChatToolRow | undefined {
  if (!isRunning(state, call)) return undefined;
  return state.rows.findLast(
    (row): row is ChatToolRow => row.type === "tool" && !isSettled(row) && row.toolCallId === call.toolCallId,
  );
}
