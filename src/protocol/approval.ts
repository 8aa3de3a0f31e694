/** A call that is not run until someone has decided. */
export interface PendingApproval {
  /** Unix milliseconds. */
  readonly at: number;
  /** Why someone is asked, in the words of the hook that asks. */
  readonly reason?: string;
}

/** What was decided about a call. */
export interface Approval {
  readonly decision: "allow" | "deny";
  /** Unix milliseconds. */
  readonly at: number;
  /** What the model is told of a denial. */
  readonly reason?: string;
}
