import { encoder, isBase, track } from "../delta/index.js";
import type { Batch, Encoder, Json, Tracker } from "../delta/index.js";
import type { LaneView } from "../lane/index.js";
import type { EventGroup, WireMessage } from "../protocol/index.js";
import type {
  EncodedMessage,
  Facet,
  FacetCounters,
  FacetHost,
  FacetSubscriber,
  FacetSubscription,
} from "./contract.js";
import { jsonBytes, utf8Bytes } from "./json-size.js";

/**
 * Serves a facet of the lane whose view `view` gives. `view` must hold every event delivered so far, those of the group
 * that is being delivered included: it is asked when one of them cannot be placed.
 */
export function createFacetHost<State extends object>(facet: Facet<State>, view: () => LaneView): FacetHost<State> {
  return new TrackedFacetHost(facet, view);
}

/** How far below its bound a state is trimmed: room that must be filled before it is measured again. */
const TRIMMED_PART = 3 / 4;

class TrackedFacetHost<State extends object> implements FacetHost<State> {
  #facet: Facet<State>;
  readonly #view: () => LaneView;
  readonly #tracker: Tracker<State>;
  readonly #encoder: Encoder = encoder();
  readonly #subscribers = new Set<FacetSubscriber>();
  #seq = 0;
  /** At least the bytes of the state as JSON: those when it was last trimmed, plus those of every batch since. */
  #maxSize = 0;
  #base: EncodedMessage | undefined;
  #closed = false;
  readonly #counters = { batches: 0, encodes: 0, bases: 0, resets: 0, bytesEach: 0 };

  constructor(facet: Facet<State>, view: () => LaneView) {
    this.#facet = facet;
    this.#view = view;
    this.#tracker = track(this.#open());
    this.#tracker.flush();
  }

  get facet(): Facet<State> {
    return this.#facet;
  }

  get counters(): FacetCounters {
    return { ...this.#counters };
  }

  deliver(group: EventGroup): void {
    if (this.#closed) return;
    if (this.#fold(group)) this.#send();
    else this.reset();
  }

  reset(facet?: Facet<State>): void {
    if (this.#closed) return;
    this.#facet = facet ?? this.#facet;
    this.#counters.resets += 1;
    this.#tracker.state = this.#open();
    this.#send();
  }

  subscribe(subscriber: FacetSubscriber): FacetSubscription {
    // Each subscription is an object of its own, so that one subscriber may stand in the set twice.
    const entry: FacetSubscriber = {
      receive: (message) => subscriber.receive(message),
      end: () => subscriber.end(),
    };
    this.#subscribers.add(entry);
    this.#sendBase(entry);
    if (this.#closed) this.#end(entry);
    return {
      resync: () => {
        if (this.#subscribers.has(entry)) this.#sendBase(entry);
      },
      close: () => {
        this.#subscribers.delete(entry);
      },
    };
  }

  snapshot(): State {
    return this.#tracker.snapshot();
  }

  close(): void {
    this.#closed = true;
    for (const subscriber of Array.from(this.#subscribers)) this.#end(subscriber);
  }

  #open(): State {
    const state = this.#facet.initial(this.#view());
    const bound = this.#facet.bound;
    if (bound !== undefined) this.#maxSize = bound.trim(state, bound.maxBytes * TRIMMED_PART);
    return state;
  }

  // What a facet's code throws halfway through an event leaves a state that nothing is known about: the event counts as
  // one that could not be placed, and the state is made anew.
  #fold(group: EventGroup): boolean {
    try {
      return group.every((event) => this.#facet.reduce(this.#tracker.state, event));
    } catch {
      return false;
    }
  }

  #send(): void {
    const flushed = this.#tracker.flush();
    if (flushed.length === 0) return;
    const batch = this.#keepBounded(flushed);
    this.#seq += 1;
    this.#base = undefined;
    if (this.#subscribers.size === 0) return;

    const message = encodeMessage({ seq: this.#seq, ops: this.#encoder.encode(batch) });
    this.#counters.batches += 1;
    this.#counters.encodes += 1;
    this.#counters.bytesEach += utf8Bytes(message.json);
    for (const subscriber of Array.from(this.#subscribers)) {
      if (this.#subscribers.has(subscriber)) subscriber.receive(message);
    }
  }

  // A batch is never smaller than what it makes the state grow by, so the sum of them bounds the state, and measuring
  // the state itself is due only after a good part of it has changed.
  #keepBounded(batch: Batch): Batch {
    const bound = this.#facet.bound;
    if (bound === undefined) return batch;
    const batchBytes = jsonBytes(batch);
    this.#maxSize = isBase(batch) ? batchBytes : this.#maxSize + batchBytes;
    if (this.#maxSize <= bound.maxBytes) return batch;

    this.#maxSize = bound.trim(this.#tracker.state, bound.maxBytes * TRIMMED_PART);
    if (batchBytes > bound.maxBytes) this.#tracker.rebase();
    const trimmed = this.#tracker.flush();
    return isBase(trimmed) ? trimmed : [...batch, ...trimmed];
  }

  // The joiner's decoder knows no path ids: from here on they are defined anew, which every decoder understands.
  #sendBase(subscriber: FacetSubscriber): void {
    if (this.#base === undefined) {
      const isFirst = this.#counters.bases === 0;
      this.#base = encodeMessage({ seq: this.#seq, ops: [["r", this.#tracker.snapshot() as Json]] });
      this.#counters.bases += 1;
      if (isFirst) this.#counters.bytesEach += utf8Bytes(this.#base.json);
    }
    this.#encoder.forget();
    subscriber.receive(this.#base);
  }

  #end(subscriber: FacetSubscriber): void {
    if (this.#subscribers.delete(subscriber)) subscriber.end();
  }
}

function encodeMessage(message: WireMessage): EncodedMessage {
  return { message, json: JSON.stringify(message) };
}
