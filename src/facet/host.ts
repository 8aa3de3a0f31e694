import { isBase, track } from "../delta/index.js";
import type { Batch, Tracker } from "../delta/index.js";
import type { LaneView } from "../lane/index.js";
import type { EventGroup } from "../protocol/index.js";
import { createBroadcast } from "./broadcast.js";
import type { Broadcast } from "./broadcast.js";
import type { Facet, FacetCounters, FacetHost, FacetSubscriber, FacetSubscription } from "./contract.js";
import { jsonBytes } from "./json-size.js";

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
  readonly #broadcast: Broadcast;
  /** At least the bytes of the state as JSON: those when it was last trimmed, plus those of every batch since. */
  #maxSize = 0;
  #resets = 0;
  #closed = false;

  constructor(facet: Facet<State>, view: () => LaneView) {
    this.#facet = facet;
    this.#view = view;
    this.#tracker = track(this.#open());
    this.#tracker.flush();
    this.#broadcast = createBroadcast(() => this.#tracker.snapshot());
  }

  get facet(): Facet<State> {
    return this.#facet;
  }

  get counters(): FacetCounters {
    return { ...this.#broadcast.counters, resets: this.#resets };
  }

  deliver(group: EventGroup): void {
    if (this.#closed) return;
    if (this.#fold(group)) this.#send();
    else this.reset();
  }

  reset(facet?: Facet<State>): void {
    if (this.#closed) return;
    this.#facet = facet ?? this.#facet;
    this.#resets += 1;
    this.#tracker.state = this.#open();
    this.#send();
  }

  subscribe(subscriber: FacetSubscriber): FacetSubscription {
    return this.#broadcast.subscribe(subscriber);
  }

  snapshot(): State {
    return this.#tracker.snapshot();
  }

  close(): void {
    this.#closed = true;
    this.#broadcast.close();
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
    const batch = this.#tracker.flush();
    if (batch.length > 0) this.#broadcast.send(this.#keepBounded(batch));
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
}
