import type { EventGroup, HarnessEvent, WireMessage } from "../protocol/index.js";
import type { LaneView } from "../lane/index.js";

/**
 * A derived state with a shape of its own. `reduce` mutates the state it is handed and never writes an op: the ops fall
 * out of the mutation. The state must be bounded by the facet itself.
 */
export interface Facet<State extends object> {
  /** Matches `[a-z0-9_-]{1,64}`. */
  readonly id: string;
  /** The state for a lane as it is when the facet is opened. */
  initial(view: LaneView): State;
  /** Folds one event. An event that it cannot place changes nothing and gives false: subscribers then get a base. */
  reduce(state: State, event: HarnessEvent): boolean;
}

/** One facet of one lane, served to any number of subscribers at the cost of one tracker, one flush and one encoding. */
export interface FacetHost<State extends object> {
  readonly facet: Facet<State>;
  /** Folds a group of events and sends one message, if anything changed. */
  deliver(group: EventGroup): void;
  /** Starts over from a lane's view, or with new code of the facet: every subscriber gets a base. */
  reset(view: LaneView, facet?: Facet<State>): void;
  /** Adds a subscriber; its first message, a base, is handed over before this returns. */
  subscribe(subscriber: FacetSubscriber): FacetSubscription;
  /** A copy of the state. */
  snapshot(): State;
  /** Ends every subscription after what was delivered. */
  close(): void;
  readonly counters: FacetCounters;
}

export interface FacetSubscriber {
  /** One message, as JSON text shared by all subscribers, and its parsed form. Must not throw. */
  receive(message: EncodedMessage): void;
  /** The last call: the host was closed. */
  end(): void;
}

export interface EncodedMessage {
  readonly message: WireMessage;
  readonly json: string;
}

export interface FacetSubscription {
  /** Asks for a fresh base, for whatever doubt. */
  resync(): void;
  close(): void;
}

export interface FacetCounters {
  readonly batches: number;
  readonly encodes: number;
  /** Bytes of JSON handed to one subscriber that was there from the start. */
  readonly bytesEach: number;
}
