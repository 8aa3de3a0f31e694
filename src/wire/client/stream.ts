import { PROTOCOL_VERSION } from "../../protocol/index.js";
import type { Consumer } from "./consumer.js";
import { ConnectionError } from "./errors.js";
import { createSseParser } from "./sse.js";
import type { ServerSentEvent } from "./sse.js";
import { systemTimer } from "./timer.js";
import type { Timer } from "./timer.js";

/**
 * One connection to a facet's stream: the bytes as they come. `close`, where it is given, must end a read that is pending;
 * without it a connection that hangs is abandoned as it is.
 */
export interface Connection extends AsyncIterable<Uint8Array> {
  readonly close?: () => void;
}

/** Three heartbeats. */
export const SILENCE_MS = 15_000;

export interface StreamOptions {
  readonly silenceMs?: number | undefined;
  readonly maxFrameBytes?: number | undefined;
  readonly timer?: Timer | undefined;
}

/** One connection while it is read. */
export interface StreamReading {
  /**
   * Resolves at the end of the stream, which is final. Rejects with a {@link ConnectionError} where the connection does
   * not go on.
   */
  readonly ended: Promise<void>;
  /** Gives the connection up; `ended` rejects with this error. */
  abandon(why: ConnectionError): void;
}

/** Reads one connection into a consumer. */
export function readStream(
  connection: Connection,
  consumer: Pick<Consumer<unknown>, "receive" | "needsBase" | "error">,
  options: StreamOptions = {},
): StreamReading {
  const reader = new StreamReader(connection, consumer, options);
  return { ended: reader.read(), abandon: (why) => reader.abandon(why) };
}

class StreamReader {
  readonly #connection: Connection;
  readonly #consumer: Pick<Consumer<unknown>, "receive" | "needsBase" | "error">;
  readonly #options: StreamOptions;
  readonly #timer: Timer;
  #abandoned: ConnectionError | undefined;
  #interrupt: (why: ConnectionError) => void = () => {};

  constructor(
    connection: Connection,
    consumer: Pick<Consumer<unknown>, "receive" | "needsBase" | "error">,
    options: StreamOptions,
  ) {
    this.#connection = connection;
    this.#consumer = consumer;
    this.#options = options;
    this.#timer = options.timer ?? systemTimer;
  }

  abandon(why: ConnectionError): void {
    this.#abandoned ??= why;
    this.#interrupt(this.#abandoned);
  }

  async read(): Promise<void> {
    const parser = createSseParser(this.#options.maxFrameBytes);
    const pieces = this.#connection[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.#next(pieces);
        if (next.done === true) throw new ConnectionError("cut", "the connection ended before the stream did");
        for (const event of parser.push(next.value)) {
          if (this.#take(event) === "end") return;
        }
      }
    } catch (error) {
      throw asConnectionError(error);
    } finally {
      this.#leave(pieces);
    }
  }

  /** The next piece, unless nothing comes for too long or the connection is given up. */
  #next(pieces: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
    const silenceMs = this.#options.silenceMs ?? SILENCE_MS;
    return new Promise((resolve, reject) => {
      if (this.#abandoned !== undefined) {
        reject(this.#abandoned);
        return;
      }
      const watch = this.#timer(silenceMs, () =>
        reject(new ConnectionError("silent", `nothing was received for ${silenceMs} ms; a heartbeat was due`)),
      );
      const stopWatching = <Given>(then: (given: Given) => void) => {
        return (given: Given): void => {
          watch.cancel();
          then(given);
        };
      };
      this.#interrupt = stopWatching(reject);
      pieces.next().then(stopWatching(resolve), stopWatching(reject));
    });
  }

  #take(event: ServerSentEvent): "end" | undefined {
    if (event.type === "end") return "end";
    if (event.type === "open") checkProtocol(event.data);
    // Events of other types, heartbeats among them, say no more than that the host lives.
    if (event.type !== "message") return undefined;
    this.#consumer.receive(parseJson(event.data));
    const { needsBase, error } = this.#consumer;
    // The one way to ask for a base is a new connection.
    if (needsBase) throw new ConnectionError("doubt", "the consumer needs a base batch", { cause: error });
    return undefined;
  }

  #leave(pieces: AsyncIterator<Uint8Array>): void {
    this.#interrupt = () => {};
    this.#connection.close?.();
    // Where a read hangs, so does this: nobody waits for it, and what it ends with concerns nobody.
    pieces.return?.().catch(() => {});
  }
}

function checkProtocol(data: string): void {
  const hello = parseJson(data);
  const version = typeof hello === "object" && hello !== null && "protocol" in hello ? hello.protocol : undefined;
  if (typeof version === "number" && version <= PROTOCOL_VERSION) return;
  throw new ConnectionError(
    "protocol_mismatch",
    `the host speaks protocol ${String(version)}, this program reads up to ${PROTOCOL_VERSION}; update it`,
  );
}

/** What is no JSON is handed to the consumer as undefined, which it refuses as any other malformed message. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function asConnectionError(error: unknown): ConnectionError {
  if (error instanceof ConnectionError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new ConnectionError("unreachable", `the connection failed: ${reason}`, { cause: error });
}
