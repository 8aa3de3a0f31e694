import type { EventGroup, HarnessEvent, WireMessage } from "../protocol/index.js";
import type { LaneView } from "../lane/index.js";

/**
 * A derived state with a shape of its own. `reduce` mutates the state it is handed and never writes an op: the ops fall
 * out of the mutation. A facet keeps nothing beside its state.
 */
export interface Facet<State extends object> {
  /** Matches `[a-z0-9_-]{1,64}`. */
  readonly id: string;
  /** A state of its own for a lane as it is when the facet is opened. */
  initial(view: LaneView): State;
  /** Folds one event. An event that it cannot place changes nothing and gives false: subscribers then get a base. */
  reduce(state: State, event: HarnessEvent): boolean;
  /** How the state is kept small. A facet without it has a state that cannot grow. */
  readonly bound?: FacetBound<State>;
}

export interface FacetBound<State extends object> {
  /** Most UTF-8 bytes of the state as JSON. */
  readonly maxBytes: number;
  /** Gives up what is oldest until the state is at most `maxBytes` of JSON, and says how many bytes are left. */
  trim(state: State, maxBytes: number): number;
}

/** One facet of one lane, served to any number of subscribers at the cost of one tracker, one flush and one encoding. */
export interface FacetHost<State extends object> {
  readonly facet: Facet<State>;
  /** Folds a group of events and sends one message, if anything changed. */
  deliver(group: EventGroup): void;
  /** Starts over from the lane's view as it is now, perhaps with new code of the facet: every subscriber gets a base. */
  reset(facet?: Facet<State>): void;
  /**
   * Adds a subscriber; its first message, a base, is handed over before this returns. From a host that was closed it
   * gets the last state and the end.
   */
  subscribe(subscriber: FacetSubscriber): FacetSubscription;
  /** A copy of the state. */
  snapshot(): State;
  /** Ends every subscription after what was delivered. Later calls of `deliver` and `reset` do nothing. */
  close(): void;
  readonly counters: FacetCounters;
}

export interface FacetSubscriber {
  /** One message as JSON text, shared by all subscribers, and its parsed form. Must not throw, nor change the message. */
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

export interface BroadcastCounters {
  /** Messages made for all subscribers; none is made while there is none. */
  readonly batches: number;
  /** Encodings for all subscribers: one a batch. */
  readonly encodes: number;
  /** Bases made for one subscriber that joined or was in doubt; several in a row without a change share one. */
  readonly bases: number;
  /** UTF-8 bytes of JSON handed to one subscriber that was there from the start: the first base and every batch. */
  readonly bytesEach: number;
}

export interface FacetCounters extends BroadcastCounters {
  /** Times the state was made anew, from the lane's view. */
  readonly resets: number;
}
