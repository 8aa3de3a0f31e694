export { createBroadcast } from "./broadcast.js";
export type { Broadcast } from "./broadcast.js";
export { createFacetHost } from "./host.js";
export { createLaneFacet, LANE_FACET_MAX_BYTES, laneFacet } from "./lane-facet.js";
export type { LaneFacetOptions } from "./lane-facet.js";
export { CHAT_MAX_BYTES, CHAT_MAX_ROWS, chatFacet, createChatFacet } from "./chat/chat-facet.js";
export type { ChatFacetOptions } from "./chat/chat-facet.js";
export type {
  ChatAssistantRow,
  ChatOperation,
  ChatPlace,
  ChatQueued,
  ChatRow,
  ChatRowState,
  ChatState,
  ChatSummaryRow,
  ChatToolDetails,
  ChatToolOutput,
  ChatToolRow,
  ChatUserRow,
} from "./chat/state.js";
export type {
  BroadcastCounters,
  EncodedMessage,
  Facet,
  FacetBound,
  FacetCounters,
  FacetHost,
  FacetSubscriber,
  FacetSubscription,
} from "./contract.js";
