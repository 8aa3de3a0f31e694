import type {
  Entry,
  HarnessEvent,
  MessageEnd,
  MessageUpdate,
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
  return true;
}

function updateMessage(view: LaneView, event: MessageUpdate): boolean {
  const message = messageOf(view, event);
  if (message === undefined) return false;
  if (message.withheld === true) return true;
  const state = foldOps(message.state, event.ops);
  if (state === undefined) return false;
  message.state = state;
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
  return true;
}

function startTool(view: LaneView, event: ToolStart): boolean {
  const operation = operationOf(view, event);
  if (operation === undefined || toolOf(view, event) !== undefined) return false;
  operation.tools.push({ id: event.toolCallId, name: event.toolName, args: event.args });
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

function addEntry(view: LaneView, entry: Entry): boolean {
  const isRunning = entry.type === "tool" && view.operation?.tools.some(({ id }) => id === entry.toolCallId) === true;
  if (isRunning || view.transcript.some(({ id }) => id === entry.id)) return false;
  view.transcript.push(entry);
  return true;
}

function endOperation(view: LaneView, event: OperationEnd): boolean {
  const operation = operationOf(view, event);
  // What is still open would be lost from sight with its operation.
  if (operation === undefined || operation.message !== undefined || operation.tools.length > 0) return false;
  view.operation = null;
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

function toolOf(view: LaneView, event: ToolStart | ToolUpdate | ToolEnd): LaneTool | undefined {
  return operationOf(view, event)?.tools.find(({ id }) => id === event.toolCallId);
}
