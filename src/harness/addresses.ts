import type { Json, LaneId, MessageId, OperationId, QueuedMessage, ToolCallId } from "../protocol/index.js";
import type { WireBatch } from "../delta/index.js";
import { ephemeralScope, listAddress, sessionScope, valueAddress } from "../storage/index.js";
import type { EphemeralScope, ListAddress, SessionScope, ValueAddress } from "../storage/index.js";
import type { PermissionPolicy } from "./permission/contract.js";
import type { ApprovalRecord, LaneOrigin, OperationRecord, StoredEntry } from "./record.js";

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

/** The name of the memo of what an execution is about to be; no tool's own memo can have it. */
export function executionMemo(executionId: string): string {
  return `${EXECUTION_MEMO_PREFIX}${executionId}`;
}

export const EXECUTION_MEMO_PREFIX = "execution:";

/** The name of the memo of the arguments that a hook put in the place of the model's; no tool's own memo can have it. */
export const CHANGED_ARGS_MEMO = "call:args";

/** The ids of the session's lanes, in the order in which they came to be. */
export const sessionLanes: ListAddress<SessionScope, LaneId> = listAddress(sessionScope, "lanes");

/** A lane's transcript, in the order in which its entries were stored. */
export function laneEntries(laneId: LaneId): ListAddress<SessionScope, StoredEntry> {
  return listAddress(sessionScope, `lane/${laneId}/entries`);
}

/** A lane's operation: the one that runs, or the last that settled. */
export function laneOperation(laneId: LaneId): ValueAddress<SessionScope, OperationRecord> {
  return valueAddress(sessionScope, `lane/${laneId}/operation`);
}

/** What was said to a lane and has not joined an operation. */
export function laneQueue(laneId: LaneId): ValueAddress<SessionScope, readonly QueuedMessage[]> {
  return valueAddress(sessionScope, `lane/${laneId}/queue`);
}

/** The calls of a lane's operation about which someone was asked. */
export function laneApprovals(laneId: LaneId): ValueAddress<SessionScope, readonly ApprovalRecord[]> {
  return valueAddress(sessionScope, `lane/${laneId}/approvals`);
}

/** Where a forked lane begins. */
export function laneOrigin(laneId: LaneId): ValueAddress<SessionScope, LaneOrigin> {
  return valueAddress(sessionScope, `lane/${laneId}/origin`);
}

/** The policy in force. */
export const sessionPolicy: ValueAddress<SessionScope, PermissionPolicy> = valueAddress(sessionScope, "policy");
