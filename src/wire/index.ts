export { connectLocally } from "./local-connection.js";
export type { LocalConnection, LocalConnectionOptions } from "./local-connection.js";
export { CLOSE_GRACE_MS, createWireServer } from "./server.js";
export type { WireServer, WireServerOptions } from "./server.js";
export type { TcpAddress, TcpOptions } from "./listen.js";
export { HEARTBEAT_MS } from "./stream-pool.js";
export type { StreamCounters } from "./stream-pool.js";
export type { PageFile, WirePage } from "./page.js";
export type { WireTokens } from "./tokens.js";
export { WireError } from "./errors.js";
export type { WireErrorCode } from "./errors.js";
export { makeCuttable } from "./facet-cut.js";
export type { CuttableStream } from "./facet-cut.js";
export type {
  CallDecision,
  CallOutput,
  EntryPage,
  FacetStream,
  LaneSummary,
  MessageKind,
  SaidMessage,
  SessionState,
  SessionSummary,
  StreamSubscriber,
  WireSession,
  WireSource,
} from "./source.js";
export { connectToStream } from "./http-client.js";
export type { WireTarget } from "./http-client.js";
export { openRelay } from "./relay.js";
export type { RelayOptions } from "./relay.js";
export { createRelayShelf, facetPath, openRemoteSession, sessionPath } from "./remote-session.js";
export type { RelayShelf } from "./remote-session.js";
