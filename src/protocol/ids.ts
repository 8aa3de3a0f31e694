/** Every id of the domain: sessions, lanes, operations, turns, messages, calls, entries. */
export const ID_PATTERN = /^[a-z0-9_-]{1,64}$/;

export type SessionId = string;
export type LaneId = string;
/** `op_…`; unique in its session. */
export type OperationId = string;
/** One request to the model within an operation. */
export type TurnId = string;
export type MessageId = string;
/** One tool call, our id, unique in its operation. The provider's own is `providerCallId` and may repeat. */
export type ToolCallId = string;
export type EntryId = string;
