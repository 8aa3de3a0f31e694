import type { Json, MessageId, OperationId, ToolCallId } from "../protocol/index.js";
import type { WireBatch } from "../delta/index.js";
import { ephemeralScope, listAddress, valueAddress } from "../storage/index.js";
import type { EphemeralScope, ListAddress, ValueAddress } from "../storage/index.js";

/** The tag of list elements that are base batches: recovery reads backwards and stops there. */
export const BASE_TAG = "base";

/** A call's output so far: one encoded batch an element. */
export function pendingToolOutput(
  operationId: OperationId,
  toolCallId: ToolCallId,
): ListAddress<EphemeralScope, WireBatch> {
  return listAddress(ephemeralScope(operationId), `tool/${toolCallId}/output`);
}

/** An assistant message's state so far: one encoded batch an element. */
export function pendingAssistantOutput(
  operationId: OperationId,
  messageId: MessageId,
): ListAddress<EphemeralScope, WireBatch> {
  return listAddress(ephemeralScope(operationId), `message/${messageId}/output`);
}

/** A call's durable note to its own replay. */
export function operationToolMemo(
  operationId: OperationId,
  toolCallId: ToolCallId,
  name: string,
): ValueAddress<EphemeralScope, Json> {
  return valueAddress(ephemeralScope(operationId), `tool/${toolCallId}/memo/${name}`);
}
