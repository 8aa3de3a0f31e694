import { apply, DeltaError, isBase } from "../delta/index.js";
import type { Batch } from "../delta/index.js";
import type { Entry, HarnessEvent, MessageEnd, MessageStart, ToolEnd, ToolStart } from "../protocol/index.js";
import type { LaneOperation, LaneView } from "./view.js";

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
      if (view.operation !== null) return false;
      view.operation = { id: event.operationId, tools: [] };
      return true;
    case "entry_added":
      return addEntry(view, event.entry);
    case "message_start":
    case "message_update":
    case "message_end":
    case "tool_start":
    case "tool_update":
    case "tool_end":
    case "operation_end":
      return view.operation?.id === event.operationId && foldOperationEvent(view, view.operation, event);
    default:
      // A newer host may send what this version does not know.
      return false;
  }
}

type OperationEvent = Exclude<HarnessEvent, { type: "operation_start" | "entry_added" }>;

function foldOperationEvent(view: LaneView, operation: LaneOperation, event: OperationEvent): boolean {
  switch (event.type) {
    case "message_start":
      return startMessage(operation, event);
    case "message_update":
      if (operation.message?.id !== event.messageId) return false;
      return operation.message.withheld === true || foldOps(operation.message, "state", event.ops);
    case "message_end":
      return endMessage(view, operation, event);
    case "tool_start":
      return startTool(operation, event);
    case "tool_update": {
      const tool = operation.tools.find(({ id }) => id === event.toolCallId);
      if (tool === undefined) return false;
      return tool.withheld === true || foldOps(tool, "output", event.ops);
    }
    case "tool_end":
      return endTool(view, operation, event);
    case "operation_end":
      // What is still open would be lost from sight with its operation.
      if (operation.message !== undefined || operation.tools.length > 0) return false;
      view.operation = null;
      return true;
  }
}

function startMessage(operation: LaneOperation, event: MessageStart): boolean {
  if (operation.message !== undefined) return false;
  operation.message = { id: event.messageId, role: event.role };
  return true;
}

function endMessage(view: LaneView, operation: LaneOperation, event: MessageEnd): boolean {
  const message = operation.message;
  if (message?.id !== event.messageId) return false;
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
  delete operation.message;
  return true;
}

function startTool(operation: LaneOperation, event: ToolStart): boolean {
  if (operation.tools.some(({ id }) => id === event.toolCallId)) return false;
  operation.tools.push({ id: event.toolCallId, name: event.toolName, args: event.args });
  return true;
}

/** The output moves from the running tools into the transcript, in one go: at no moment is it in neither. */
function endTool(view: LaneView, operation: LaneOperation, event: ToolEnd): boolean {
  const index = operation.tools.findIndex(({ id }) => id === event.toolCallId);
  const tool = operation.tools[index];
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
  operation.tools.splice(index, 1);
  return true;
}

function addEntry(view: LaneView, entry: Entry): boolean {
  const isRunning = entry.type === "tool" && view.operation?.tools.some(({ id }) => id === entry.toolCallId) === true;
  if (isRunning || view.transcript.some(({ id }) => id === entry.id)) return false;
  view.transcript.push(entry);
  return true;
}

/** An entry whose content the view does not hold ends what the view holds of the transcript: what is held has no holes. */
function skipEntry(view: LaneView): void {
  view.earlier = (view.earlier ?? 0) + view.transcript.length + 1;
  view.transcript = [];
}

/** Folds ops into `target[key]`, which a base batch creates; false, and nothing changed, where they do not apply. */
function foldOps<Key extends string, Value>(target: { [K in Key]?: Value }, key: Key, ops: Batch): boolean {
  const value = target[key];
  if (value === undefined && !isBase(ops)) return false;
  try {
    target[key] = apply(value, ops);
    return true;
  } catch (error) {
    if (error instanceof DeltaError) return false;
    throw error;
  }
}
