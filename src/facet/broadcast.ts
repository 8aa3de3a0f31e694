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

/** One subscription: a subscriber may have several. */
interface Entry {
  readonly subscriber: FacetSubscriber;
  /** Where its last base stands. */
  baseSeq: number | undefined;
}

class EncodedBroadcast implements Broadcast {
  readonly #state: () => object;
  readonly #encoder: Encoder = encoder();
  readonly #entries = new Set<Entry>();
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
    if (this.#entries.size === 0) return;
    const message = encodeMessage({ seq: this.#seq, ops: this.#encoder.encode(batch) });
    this.#counters.batches += 1;
    this.#counters.encodes += 1;
    this.#counters.bytesEach += utf8Bytes(message.json);
    for (const entry of this.#entries) {
      // Who joins from within a call, which is at the end of the set, has this batch in its base.
      if (entry.baseSeq !== this.#seq) entry.subscriber.receive(message);
    }
  }

  subscribe(subscriber: FacetSubscriber): FacetSubscription {
    const entry: Entry = { subscriber, baseSeq: undefined };
    let isOpen = true;
    this.#entries.add(entry);
    this.#sendBase(entry);
    if (this.#closed) this.#end(entry);
    return {
      resync: () => {
        if (isOpen) this.#sendBase(entry);
      },
      close: () => {
        isOpen = false;
        this.#entries.delete(entry);
      },
    };
  }

  close(): void {
    this.#closed = true;
    for (const entry of Array.from(this.#entries)) this.#end(entry);
  }

  // The joiner's decoder knows no path ids: from here on they are defined anew, which every decoder understands.
  #sendBase(entry: Entry): void {
    if (this.#base === undefined) {
      this.#base = encodeMessage({ seq: this.#seq, ops: [["r", this.#state() as Json]] });
      if (this.#counters.bases === 0) this.#counters.bytesEach += utf8Bytes(this.#base.json);
      this.#counters.bases += 1;
    }
    this.#encoder.forget();
    entry.baseSeq = this.#seq;
    entry.subscriber.receive(this.#base);
  }

  #end(entry: Entry): void {
    if (this.#entries.delete(entry)) entry.subscriber.end();
  }
}

function encodeMessage(message: WireMessage): EncodedMessage {
  return { message, json: JSON.stringify(message) };
}
