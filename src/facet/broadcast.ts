import { encoder } from "../delta/index.js";
import type { Batch, Encoder, Json } from "../delta/index.js";
import type { WireMessage } from "../protocol/index.js";
import type { BroadcastCounters, EncodedMessage, FacetSubscriber, FacetSubscription } from "./contract.js";
import { utf8Bytes } from "./json-size.js";

/** Sends the batches of one state to any number of subscribers, each encoded once. */
export interface Broadcast {
  /** Sends what changed the state; `state()` must give the value after it by now. */
  send(batch: Batch): void;
  /** As of a facet's host. */
  subscribe(subscriber: FacetSubscriber): FacetSubscription;
  /** Ends every subscription. Who joins later gets the last state and the end. */
  close(): void;
  readonly counters: BroadcastCounters;
}

/** `state` gives a copy of the value that the batches add up to. */
export function createBroadcast(state: () => object): Broadcast {
  return new EncodedBroadcast(state);
}

class EncodedBroadcast implements Broadcast {
  readonly #state: () => object;
  readonly #encoder: Encoder = encoder();
  readonly #subscribers = new Set<FacetSubscriber>();
  readonly #counters = { batches: 0, encodes: 0, bases: 0, bytesEach: 0 };
  #seq = 0;
  #base: EncodedMessage | undefined;
  #closed = false;

  constructor(state: () => object) {
    this.#state = state;
  }

  get counters(): BroadcastCounters {
    return { ...this.#counters };
  }

  send(batch: Batch): void {
    this.#seq += 1;
    this.#base = undefined;
    if (this.#subscribers.size === 0) return;
    const message = encodeMessage({ seq: this.#seq, ops: this.#encoder.encode(batch) });
    this.#counters.batches += 1;
    this.#counters.encodes += 1;
    this.#counters.bytesEach += utf8Bytes(message.json);
    // Who joins from within a call has this batch in its base.
    for (const subscriber of Array.from(this.#subscribers)) {
      if (this.#subscribers.has(subscriber)) subscriber.receive(message);
    }
  }

  subscribe(subscriber: FacetSubscriber): FacetSubscription {
    // An object of its own for each subscription, so that one subscriber may stand in the set twice.
    const entry: FacetSubscriber = {
      receive: (message) => subscriber.receive(message),
      end: () => subscriber.end(),
    };
    let isOpen = true;
    this.#subscribers.add(entry);
    this.#sendBase(entry);
    if (this.#closed) this.#end(entry);
    return {
      resync: () => {
        if (isOpen) this.#sendBase(entry);
      },
      close: () => {
        isOpen = false;
        this.#subscribers.delete(entry);
      },
    };
  }

  close(): void {
    this.#closed = true;
    for (const subscriber of Array.from(this.#subscribers)) this.#end(subscriber);
  }

  // The joiner's decoder knows no path ids: from here on they are defined anew, which every decoder understands.
  #sendBase(subscriber: FacetSubscriber): void {
    if (this.#base === undefined) {
      this.#base = encodeMessage({ seq: this.#seq, ops: [["r", this.#state() as Json]] });
      if (this.#counters.bases === 0) this.#counters.bytesEach += utf8Bytes(this.#base.json);
      this.#counters.bases += 1;
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
