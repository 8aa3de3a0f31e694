import type { Facet } from "../contract.js";
import { foldChatEvent } from "./fold.js";
import { openChat } from "./open.js";
import type { ChatState } from "./state.js";
import { trimChat } from "./trim.js";

export interface ChatFacetOptions {
  /** Most bytes of the state as JSON. Default {@link CHAT_MAX_BYTES}. */
  readonly maxBytes?: number | undefined;
  /** Most settled rows. Default {@link CHAT_MAX_ROWS}. */
  readonly maxRows?: number | undefined;
}

export const CHAT_MAX_BYTES = 524_288;
export const CHAT_MAX_ROWS = 100;

/** A lane as a person reads it: what runs, and the last settled rows. */
export function createChatFacet(options: ChatFacetOptions = {}): Facet<ChatState> {
  const maxRows = options.maxRows ?? CHAT_MAX_ROWS;
  return {
    id: "chat",
    initial: (view) => openChat(view, maxRows),
    reduce: (state, event) => foldChatEvent(state, event, maxRows),
    bound: { maxBytes: options.maxBytes ?? CHAT_MAX_BYTES, trim: trimChat },
  };
}

/** {@link createChatFacet} with its defaults. */
export const chatFacet: Facet<ChatState> = createChatFacet();
