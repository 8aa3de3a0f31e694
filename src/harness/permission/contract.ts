import type { Json, LaneId, OperationId, ToolCallId } from "../../protocol/index.js";

/** `ask`: the call waits until someone decides. `refuse`: it is not run, whatever a hook says. */
export type Permission = "allow" | "ask" | "refuse";

export interface PermissionPolicy {
  /** By the tool's name; at most 256. */
  readonly tools: { readonly [toolName: string]: Permission };
  /** For every other tool. */
  readonly others: Permission;
}

/** A call whose arguments its tool's schema takes, before it is run. */
export interface CheckedCall {
  readonly laneId: LaneId;
  readonly operationId: OperationId;
  readonly toolCallId: ToolCallId;
  readonly toolName: string;
  readonly args: Json;
  /** What the policy says of it: `allow` or `ask`. */
  readonly permission: Permission;
  /** Aborts with the operation. */
  readonly signal: AbortSignal;
}

/**
 * - `allow`: run it without asking anyone.
 * - `ask`: wait for a decision.
 * - `block`: it is not run, and the model is told why.
 * - `change`: other arguments, which the schema must take as well; the policy then decides. Both are kept.
 */
export type Verdict =
  | { readonly decision: "allow" }
  | { readonly decision: "ask"; readonly reason?: string }
  | { readonly decision: "block"; readonly reason: string }
  | { readonly decision: "change"; readonly args: Json };

/**
 * Is asked about each call before it is run, and again after a restart about one that had not begun. Leaves it to the policy
 * by giving nothing. A call about which it throws is not run.
 */
export type BeforeTool = (call: CheckedCall) => Verdict | undefined | Promise<Verdict | undefined>;

/** What someone decides about a call that waits. */
export interface Decision {
  readonly decision: "allow" | "deny";
  /** What the model is told of a denial; at most 4,096 bytes. */
  readonly reason?: string | undefined;
  /** Whether the policy says the same of this tool from now on: `allow`, or `refuse` after a denial. */
  readonly always?: boolean | undefined;
}
