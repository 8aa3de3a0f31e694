import type { ChatRow, ChatState, ChatToolRow } from "../../facet/index.js";
import type { ToolCallId } from "../../protocol/index.js";

/** The calls that wait for somebody's word, without those that were decided about here while that is being stored. */
export class Questions {
  readonly #decided = new Set<ToolCallId>();

  /** In the order in which they are to be answered. */
  open(state: ChatState | undefined): readonly ChatToolRow[] {
    const isOpen = (row: ChatRow): row is ChatToolRow =>
      row.type === "tool" && row.pendingApproval !== undefined && !this.#decided.has(row.toolCallId);
    return (state?.rows ?? []).filter(isOpen);
  }

  decide(call: ToolCallId): void {
    this.#decided.add(call);
  }

  /** The decision did not arrive. */
  reopen(call: ToolCallId): void {
    this.#decided.delete(call);
  }
}
