import { reduceLaneSnapshot } from "../lane/index.js";
import type { LaneView } from "../lane/index.js";
import type { HarnessEvent } from "../protocol/index.js";
import type { LaneSubscriber } from "./contract.js";

/**
 * One lane's events, in their one order. The lane's view is nothing but the fold of them, by the same reducer that
 * facets run, so what is stored, shown and told to the model cannot drift apart unseen.
 */
export class LaneFeed {
  readonly #view: LaneView;
  readonly #subscribers = new Set<LaneSubscriber>();
  readonly #queue: HarnessEvent[][] = [];
  #collected: HarnessEvent[] | undefined;
  #delivering = false;

  constructor(view: LaneView) {
    this.#view = view;
  }

  /** The lane as it is now; live, for reading only. */
  get view(): LaneView {
    return this.#view;
  }

  /** Sends the events as one group, or with the group that is being collected. */
  emit(...events: HarnessEvent[]): void {
    if (events.length === 0) return;
    if (this.#collected !== undefined) {
      this.#collected.push(...events);
      return;
    }
    this.#queue.push(events);
    this.#deliver();
  }

  /** Sends all that `produce` emits as one group. */
  together(produce: () => void): void {
    if (this.#collected !== undefined) {
      produce();
      return;
    }
    const collected: HarnessEvent[] = [];
    this.#collected = collected;
    try {
      produce();
    } finally {
      this.#collected = undefined;
      this.emit(...collected);
    }
  }

  subscribe(subscriber: LaneSubscriber): () => void {
    subscriber.open(structuredClone(this.#view));
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  /** Says to every subscriber that nothing follows. */
  end(): void {
    const subscribers = [...this.#subscribers];
    this.#subscribers.clear();
    for (const subscriber of subscribers) this.#guard(subscriber, () => subscriber.end());
  }

  // A subscriber may emit or subscribe from within: groups wait their turn, and each is folded just before it is handed
  // out, so that whoever joins in between finds in the view exactly what it will not be given.
  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let group = this.#queue.shift(); group !== undefined; group = this.#queue.shift()) {
        for (const event of group) reduceLaneSnapshot(this.#view, event);
        const given = group;
        const present = Array.from(this.#subscribers);
        for (const subscriber of present) {
          if (this.#subscribers.has(subscriber)) this.#guard(subscriber, () => subscriber.receive(given));
        }
      }
    } finally {
      this.#delivering = false;
    }
  }

  // One broken reader must not stop the work or the other readers; it gets nothing more.
  #guard(subscriber: LaneSubscriber, call: () => void): void {
    try {
      call();
    } catch {
      this.#subscribers.delete(subscriber);
    }
  }
}
