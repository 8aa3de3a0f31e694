import type { FacetSubscriber, FacetSubscription } from "../facet/index.js";
import type {
  Entry,
  EntryId,
  LaneId,
  OperationId,
  QueuedMessage,
  QueueKind,
  SessionId,
  ToolCallId,
} from "../protocol/index.js";

/**
 * What a server serves. Whatever a method cannot give for lack of it is undefined and answered as not found; a
 * {@link WireError} is answered as it is.
 */
export interface WireSource {
  /** The newest first. */
  sessions(): Promise<readonly SessionSummary[]>;
  session(id: SessionId): Promise<WireSession | undefined>;
}

/**
 * `running`: an operation is at work. `open`: a process has the session and nothing runs. `closed`: no process has it.
 * `interrupted`: no process has it, and an operation of it was not settled.
 */
export type SessionState = "running" | "open" | "closed" | "interrupted";

export interface SessionSummary {
  readonly id: SessionId;
  readonly state: SessionState;
  /** What the session is about, in at most 200 characters: the beginning of its first prompt. */
  readonly title: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface WireSession {
  readonly summary: SessionSummary;
  readonly lanes: readonly LaneSummary[];
  /** A facet of a lane, for one subscriber more. */
  facet(lane: LaneId, facet: string): Promise<FacetStream | undefined>;
  /** Entries of the lane's transcript that lie before position `before`, at most `limit` of them, the last ones. */
  entries(lane: LaneId, page: { readonly before: number; readonly limit: number }): Promise<EntryPage | undefined>;
  /** The full output of a call. */
  output(operation: OperationId, toolCall: ToolCallId): Promise<CallOutput | undefined>;
  /** Stops what runs in the lane; false where nothing does. */
  abort(lane: LaneId, reason: string): Promise<boolean>;
  /** Decides about a call of the lane that waits for it. Throws `conflict` where it waits for nothing. */
  approve(lane: LaneId, call: ToolCallId, decision: CallDecision): Promise<void>;
  /** Says something to the lane; durable when the promise resolves. Throws `conflict` where nobody is there to hear it. */
  say(lane: LaneId, text: string, as: MessageKind): Promise<SaidMessage>;
  /** Takes back what was said and has not joined an operation; false where it has, or never was. */
  withdraw(lane: LaneId, message: EntryId): Promise<boolean>;
}

export interface LaneSummary {
  readonly id: LaneId;
  readonly facets: readonly string[];
  /** Whether a model works in it to which something can be said. */
  readonly takesMessages: boolean;
}

export interface CallDecision {
  readonly decision: "allow" | "deny";
  /** What the model is told of a denial. */
  readonly reason?: string | undefined;
  /** Whether the same is to hold for this tool from now on. */
  readonly always?: boolean | undefined;
}

/** `steer` and `followUp` join the operation that runs, each at its time; `prompt` begins one. */
export type MessageKind = QueueKind | "prompt";

/** What became of what was said: it waits to join an operation, or it began one. */
export type SaidMessage = { readonly message: QueuedMessage } | { readonly operationId: OperationId };

/** A host of a facet is one. */
export interface FacetStream {
  subscribe(subscriber: StreamSubscriber): FacetSubscription;
}

export interface StreamSubscriber extends FacetSubscriber {
  /** The last call in place of `end`: what comes now is not known here, the consumer is to connect anew. */
  cut(): void;
}

export interface EntryPage {
  /** Position of the first entry. */
  readonly from: number;
  readonly entries: readonly Entry[];
}

/** Bytes that a call wrote, as they came. */
export interface CallOutput {
  /** How many there are now. */
  readonly bytes: number;
  /** Whether that is all the call wrote; false also while it runs. */
  readonly complete: boolean;
  /** Bytes from `start` up to and without `end`, which lie within `bytes`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}
