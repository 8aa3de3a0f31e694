import { addUsage } from "../protocol/index.js";
import type {
  ApprovalEnd,
  ApprovalRequest,
  Entry,
  HarnessEvent,
  MessageEnd,
  MessageQueued,
  MessageUpdate,
  ModelRetry,
  OperationEnd,
  ToolEnd,
  ToolUpdate,
} from "../protocol/index.js";
import type { MessageStart, OperationStart, ToolStart } from "../protocol/index.js";
import { foldOps } from "./fold-ops.js";
import type { LaneMessage, LaneOperation, LaneTool, LaneView } from "./view.js";

/**
 * Folds one event into a lane's view by plain mutation; the view may be tracked. An event that cannot be placed changes
 * nothing. {@link foldLaneEvent} is the same and says which it was.
 */
export function reduceLaneSnapshot(view: LaneView, event: HarnessEvent): void {
  foldLaneEvent(view, event);
}

/** Folds one event as {@link reduceLaneSnapshot} does, and tells whether it could be placed. */
export function foldLaneEvent(view: LaneView, event: HarnessEvent): boolean {
  switch (event.type) {
    case "operation_start":
      return startOperation(view, event);
    case "message_start":
      return startMessage(view, event);
    case "message_update":
      return updateMessage(view, event);
    case "message_end":
      return endMessage(view, event);
    case "tool_start":
      return startTool(view, event);
    case "tool_update":
      return updateTool(view, event);
    case "tool_end":
      return endTool(view, event);
    case "approval_request":
      return askApproval(view, event);
    case "approval_end":
      return endApproval(view, event);
    case "model_retry":
      return waitForModel(view, event);
    case "message_queued":
      return queueMessage(view, event);
    case "message_withdrawn":
      return leaveQueue(view, event.id);
    case "entry_added":
      return addEntry(view, event.entry);
    case "operation_end":
      return endOperation(view, event);
    default:
      // A newer host may send what this version does not know.
      return false;
  }
}

function startOperation(view: LaneView, event: OperationStart): boolean {
  if (view.operation === null) view.operation = { id: event.operationId, tools: [] };
  else if (view.operation.id !== event.operationId || view.operation.abandoned !== true) return false;
  // A process works on it again.
  else delete view.operation.abandoned;
  return true;
}

function startMessage(view: LaneView, event: MessageStart): boolean {
  const operation = operationOf(view, event);
  if (operation === undefined || operation.message !== undefined) return false;
  operation.message = { id: event.messageId, role: event.role };
  delete operation.retry;
  return true;
}

function updateMessage(view: LaneView, event: MessageUpdate): boolean {
  const message = messageOf(view, event);
  if (message === undefined) return false;
  if (message.withheld === true) return true;
  const state = foldOps(message.state, event.ops);
  if (state === undefined) return false;
  message.state = state;
  delete view.operation?.retry;
  return true;
}

function endMessage(view: LaneView, event: MessageEnd): boolean {
  const message = messageOf(view, event);
  if (message === undefined) return false;
  if (message.withheld === true) skipEntry(view);
  else if (message.state === undefined) return false;
  else {
    view.transcript.push({
      type: "assistant",
      id: event.entryId,
      operationId: event.operationId,
      at: event.at,
      message: message.state,
      stopReason: event.stopReason,
    });
  }
  delete view.operation?.message;
  delete view.operation?.retry;
  return true;
}

function startTool(view: LaneView, event: ToolStart): boolean {
  const operation = operationOf(view, event);
  if (operation === undefined || toolOf(view, event) !== undefined) return false;
  operation.tools.push({
    id: event.toolCallId,
    name: event.toolName,
    args: event.args,
    ...(event.changedArgs !== undefined && { changedArgs: event.changedArgs }),
  });
  return true;
}

function updateTool(view: LaneView, event: ToolUpdate): boolean {
  const tool = toolOf(view, event);
  if (tool === undefined) return false;
  if (tool.withheld === true) return true;
  const output = foldOps(tool.output, event.ops);
  if (output === undefined) return false;
  tool.output = output;
  return true;
}

/** The output moves from the running tools into the transcript in one go: at no moment is it in neither. */
function endTool(view: LaneView, event: ToolEnd): boolean {
  const tool = toolOf(view, event);
  if (tool === undefined) return false;
  if (tool.withheld === true) skipEntry(view);
  else if (tool.output === undefined) return false;
  else {
    view.transcript.push({
      type: "tool",
      id: event.entryId,
      operationId: event.operationId,
      at: event.at,
      toolCallId: event.toolCallId,
      toolName: tool.name,
      args: tool.args,
      ...(tool.changedArgs !== undefined && { changedArgs: tool.changedArgs }),
      ...(tool.approval !== undefined && { approval: tool.approval }),
      isError: event.isError,
      ...(event.stopped !== undefined && { stopped: event.stopped }),
      output: tool.output,
    });
  }
  const tools = view.operation?.tools ?? [];
  tools.splice(
    tools.findIndex(({ id }) => id === event.toolCallId),
    1,
  );
  return true;
}

function askApproval(view: LaneView, event: ApprovalRequest): boolean {
  const tool = toolOf(view, event);
  if (tool === undefined || tool.output !== undefined || tool.pendingApproval !== undefined) return false;
  tool.pendingApproval = event.pending;
  return true;
}

function endApproval(view: LaneView, event: ApprovalEnd): boolean {
  const tool = toolOf(view, event);
  if (tool?.pendingApproval === undefined) return false;
  delete tool.pendingApproval;
  tool.approval = event.approval;
  return true;
}

function waitForModel(view: LaneView, event: ModelRetry): boolean {
  const operation = operationOf(view, event);
  if (operation === undefined) return false;
  operation.retry = event.retry;
  return true;
}

function queueMessage(view: LaneView, { message }: MessageQueued): boolean {
  if (view.queue?.some(({ id }) => id === message.id) === true) return false;
  view.queue ??= [];
  view.queue.push(message);
  return true;
}

function leaveQueue(view: LaneView, id: string): boolean {
  const index = view.queue?.findIndex((message) => message.id === id) ?? -1;
  if (index < 0) return false;
  view.queue?.splice(index, 1);
  if (view.queue?.length === 0) delete view.queue;
  return true;
}

function addEntry(view: LaneView, entry: Entry): boolean {
  const isRunning = entry.type === "tool" && view.operation?.tools.some(({ id }) => id === entry.toolCallId) === true;
  if (isRunning || view.transcript.some(({ id }) => id === entry.id)) return false;
  view.transcript.push(entry);
  leaveQueue(view, entry.id);
  return true;
}

function endOperation(view: LaneView, event: OperationEnd): boolean {
  const operation = operationOf(view, event);
  // What is still open would be lost from sight with its operation.
  if (operation === undefined || operation.message !== undefined || operation.tools.length > 0) return false;
  view.operation = null;
  view.usage = addUsage(view.usage ?? {}, event.usage);
  return true;
}

/** An entry whose content the view does not hold ends what the view holds of the transcript: what is held has no holes. */
function skipEntry(view: LaneView): void {
  view.earlier = (view.earlier ?? 0) + view.transcript.length + 1;
  view.transcript = [];
}

function operationOf(view: LaneView, { operationId }: { readonly operationId: string }): LaneOperation | undefined {
  return view.operation?.id === operationId ? view.operation : undefined;
}

function messageOf(view: LaneView, event: MessageUpdate | MessageEnd): LaneMessage | undefined {
  const message = operationOf(view, event)?.message;
  return message?.id === event.messageId ? message : undefined;
}

function toolOf(
  view: LaneView,
  event: ToolStart | ToolUpdate | ToolEnd | ApprovalRequest | ApprovalEnd,
): LaneTool | undefined {
  return operationOf(view, event)?.tools.find(({ id }) => id === event.toolCallId);
}
