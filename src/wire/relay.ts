import { createBroadcast } from "../facet/index.js";
import { ConnectionError, createConsumer, readStream } from "./client/index.js";
import type { Connection } from "./client/index.js";
import { WireError } from "./errors.js";
import { makeCuttable } from "./facet-cut.js";
import type { FacetStream } from "./source.js";

/** How long a relay without subscribers is kept: a page that is loaded again finds it. */
const LINGER_MS = 1_000;

export interface RelayOptions {
  /** Called once, when the relay has nothing to give any more: its host ended it, was lost, or nobody listens. */
  readonly onClosed?: (() => void) | undefined;
  readonly silenceMs?: number | undefined;
}

/**
 * One connection to a host, given on to any number of subscribers with an encoding of its own. The relay ends when the
 * host ends the stream. It does not outlive its connection: when that is lost, its subscribers are cut, and find out by
 * connecting anew what became of the session. Resolves with the first base.
 */
export async function openRelay(connection: Connection, options: RelayOptions = {}): Promise<FacetStream> {
  const consumer = createConsumer<object>();
  // Nobody but this process changes the value, and only by the next message: a copy for each base is enough.
  const broadcast = createBroadcast(() => structuredClone(consumer.value ?? {}));
  const reading = readStream(connection, consumer, { silenceMs: options.silenceMs });
  const closeIfIdle = (): void => {
    setTimeout(() => {
      if (stream.subscribers > 0) return;
      reading.abandon(new ConnectionError("cut", "nobody listens to the relay any more"));
    }, LINGER_MS);
  };
  const stream = makeCuttable(broadcast, closeIfIdle);

  const opened = new Promise<void>((resolve) => consumer.onChange(() => resolve()));
  consumer.onChange(({ batch }) => broadcast.send(batch));
  const over = reading.ended.then(
    () => {
      broadcast.close();
      return undefined;
    },
    (error: unknown) => {
      stream.cut();
      return error;
    },
  );
  void over.then(() => options.onClosed?.());

  const failure = await Promise.race([opened, over]);
  if (consumer.value === undefined) throw toWireError(failure);
  closeIfIdle();
  return stream;
}

function toWireError(failure: unknown): WireError {
  if (failure instanceof ConnectionError && failure.status === 404) {
    return new WireError("not_found", "the session's process has no such facet");
  }
  const reason = failure instanceof Error ? failure.message : "the stream ended before it began";
  return new WireError("unavailable", `the session's process cannot be followed: ${reason}`, { cause: failure });
}
