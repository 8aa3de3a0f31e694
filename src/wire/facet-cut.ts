import type { FacetSubscriber, FacetSubscription } from "../facet/index.js";
import type { FacetStream, StreamSubscriber } from "./source.js";

/** A stream whose subscribers can be sent to connect anew. */
export interface CuttableStream extends FacetStream {
  readonly subscribers: number;
  /** Cuts every subscriber; who comes later is cut at once. */
  cut(): void;
}

/**
 * Lets the subscribers of `host` be cut: where a session went to another process, say, and the host here has no more to
 * tell. `onIdle` is called whenever the last one has left.
 */
export function makeCuttable(
  host: { subscribe(subscriber: FacetSubscriber): FacetSubscription },
  onIdle: () => void = () => {},
): CuttableStream {
  const joined = new Map<StreamSubscriber, FacetSubscription>();
  let isCut = false;
  const leave = (entry: StreamSubscriber): void => {
    joined.get(entry)?.close();
    if (joined.delete(entry) && joined.size === 0) onIdle();
  };
  return {
    get subscribers() {
      return joined.size;
    },
    subscribe(subscriber) {
      // An object of its own for each subscription, so that one subscriber may join twice.
      const entry: StreamSubscriber = {
        receive: (message) => subscriber.receive(message),
        end: () => subscriber.end(),
        cut: () => subscriber.cut(),
      };
      const subscription = host.subscribe(entry);
      joined.set(entry, subscription);
      if (isCut) entry.cut();
      return { resync: () => subscription.resync(), close: () => leave(entry) };
    },
    cut() {
      isCut = true;
      for (const entry of Array.from(joined.keys())) entry.cut();
    },
  };
}
