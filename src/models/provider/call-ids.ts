import type { AssistantToolCall, ToolCallId } from "../../protocol/index.js";

/** What every wire takes as the id of a call. */
const WIRE_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * The ids that calls have in one request: the provider's own, or ours where the provider's is none, is one that another
 * provider would refuse, or was used before in the conversation.
 */
export class CallIds {
  readonly #assigned = new Map<ToolCallId, string>();
  readonly #used = new Set<string>();

  assign({ toolCallId, providerCallId }: AssistantToolCall): string {
    const isUsable = providerCallId !== undefined && WIRE_ID.test(providerCallId) && !this.#used.has(providerCallId);
    const id = isUsable ? providerCallId : toolCallId;
    this.#used.add(id);
    this.#assigned.set(toolCallId, id);
    return id;
  }

  find(toolCallId: ToolCallId): string {
    return this.#assigned.get(toolCallId) ?? toolCallId;
  }
}
