import type { FacetHost, FacetSubscription } from "../facet/index.js";
import { createConsumer } from "./client/index.js";
import type { Change, Consumer } from "./client/index.js";

export interface LocalConnectionOptions<State> {
  /** Sees each message as the JSON text that travels, before it is folded. */
  readonly onMessage?: ((json: string) => void) | undefined;
  /** Sees what a message changed, the first base included, with its text. */
  readonly onChange?: ((change: Change<State>, json: string) => void) | undefined;
}

/** A consumer in the host's own process. */
export interface LocalConnection<State> {
  readonly consumer: Consumer<State>;
  /** Resolves when the host has said that nothing follows. */
  readonly ended: Promise<void>;
  /** Asks for a base, which is folded before this returns. */
  readonly resync: () => void;
  readonly close: () => void;
}

/**
 * Joins a consumer to a host in the same process. Nothing but JSON text passes between them, so the consumer shows what
 * any other would: encoded by the host, decoded and folded here.
 */
export function connectLocally<State extends object>(
  host: FacetHost<State>,
  options: LocalConnectionOptions<State> = {},
): LocalConnection<State> {
  const joined: { subscription?: FacetSubscription } = {};
  const consumer = createConsumer<State>({ askForBase: () => joined.subscription?.resync() });
  let latest = "";
  consumer.onChange((change) => options.onChange?.(change, latest));
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  joined.subscription = host.subscribe({
    receive: ({ json }) => {
      latest = json;
      options.onMessage?.(json);
      consumer.receive(JSON.parse(json));
    },
    end: () => end(),
  });
  return {
    consumer,
    ended,
    resync: () => joined.subscription?.resync(),
    close: () => joined.subscription?.close(),
  };
}
