import type {
  Approval,
  AssistantEntry,
  AssistantState,
  AssistantToolCall,
  CallStop,
  Json,
  MessageEnd,
  MessageId,
  StopReason,
  ToolCallId,
  ToolEnd,
  ToolEntry,
  ToolOutputState,
  ToolStart,
  TurnId,
} from "../protocol/index.js";
import { entryOfMessage } from "./ids.js";
import type { OperationRun } from "./operation-run.js";

/** A call of the model, as it is announced and stored. */
export interface Call {
  readonly turnId: TurnId;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  /** What the model stated: the raw text where it is no JSON. */
  readonly args: Json;
  readonly unparsed?: true;
  /** As in the entry. */
  readonly changedArgs?: Json;
  readonly approval?: Approval;
}

export interface CallEnd {
  /** What makes the call a failed one. */
  readonly error?: unknown;
  readonly stopped?: CallStop;
}

export function makeCall(turnId: TurnId, part: AssistantToolCall): Call {
  const identity = { turnId, toolCallId: part.toolCallId, toolName: part.name };
  return part.args === undefined ? { ...identity, args: part.input, unparsed: true } : { ...identity, args: part.args };
}

export function makeToolEntry(run: OperationRun, call: Call, end: CallEnd, output: ToolOutputState): ToolEntry {
  return {
    type: "tool",
    id: run.runtime.newId("entry"),
    operationId: run.id,
    at: run.runtime.clock.now(),
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    args: call.args,
    ...(call.changedArgs === undefined ? {} : { changedArgs: call.changedArgs }),
    ...(call.approval === undefined ? {} : { approval: call.approval }),
    isError: end.error !== undefined,
    ...(end.stopped === undefined ? {} : { stopped: end.stopped }),
    output,
  };
}

export function makeToolStart(
  operationId: string,
  { turnId, toolCallId, toolName, args, changedArgs }: Call,
): ToolStart {
  const changed = changedArgs === undefined ? {} : { changedArgs };
  return { type: "tool_start", operationId, turnId, toolCallId, toolName, args, ...changed };
}

export function makeToolEnd(call: Call, entry: ToolEntry): ToolEnd {
  return {
    type: "tool_end",
    operationId: entry.operationId,
    turnId: call.turnId,
    toolCallId: entry.toolCallId,
    isError: entry.isError,
    ...(entry.stopped === undefined ? {} : { stopped: entry.stopped }),
    entryId: entry.id,
    at: entry.at,
  };
}

export function makeAssistantEntry(
  run: OperationRun,
  message: { readonly id: MessageId; readonly state: AssistantState },
  stopReason: StopReason,
): AssistantEntry {
  return {
    type: "assistant",
    id: entryOfMessage(message.id),
    operationId: run.id,
    at: run.runtime.clock.now(),
    message: message.state,
    stopReason,
  };
}

export function makeMessageEnd(turnId: TurnId, messageId: MessageId, entry: AssistantEntry): MessageEnd {
  return {
    type: "message_end",
    operationId: entry.operationId,
    turnId,
    messageId,
    entryId: entry.id,
    stopReason: entry.stopReason,
    at: entry.at,
  };
}
