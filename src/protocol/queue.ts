import type { EntryId } from "./ids.js";

/** `steer`: joins at the next request to the model. `followUp`: joins when the operation would end. */
export type QueueKind = "steer" | "followUp";

/** What someone said while an operation ran, until it joins. */
export interface QueuedMessage {
  /** The entry that it becomes. */
  readonly id: EntryId;
  readonly kind: QueueKind;
  readonly text: string;
  /** Unix milliseconds. */
  readonly at: number;
}
