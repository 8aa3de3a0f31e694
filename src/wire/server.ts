import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import { createWireApp } from "./app.js";
import { listenTcp, listenUnix } from "./listen.js";
import type { TcpAddress, TcpOptions } from "./listen.js";
import type { WirePage } from "./page.js";
import type { WireSource } from "./source.js";
import { StreamPool } from "./stream-pool.js";
import type { StreamCounters, StreamPoolOptions } from "./stream-pool.js";
import type { WireTokens } from "./tokens.js";

export interface WireServerOptions extends StreamPoolOptions {
  readonly source: WireSource;
  readonly tokens: WireTokens;
  /** The viewer's files; none by default. */
  readonly page?: WirePage | undefined;
  /** Told what a source threw that is no {@link WireError}; the client is told `internal` and nothing of it. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/** Serves a source over HTTP, at any number of addresses. */
export interface WireServer {
  /** Listens on a socket file of this path; one that nobody listens on any more is replaced. */
  listenUnix(path: string): Promise<void>;
  /** Listens on loopback, unless told otherwise. */
  listenTcp(options?: TcpOptions): Promise<TcpAddress>;
  readonly counters: StreamCounters;
  /** Resolves when no subscriber is left, or after `timeoutMs`. */
  idle(timeoutMs: number): Promise<void>;
  /**
   * Takes no more requests, gives each subscriber `graceMs` (default 1,000) to receive what was sent, and closes. A
   * subscriber of a facet that was closed before has its end by then; any other is cut, and will connect anew.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>;
}

export const CLOSE_GRACE_MS = 1_000;

export function createWireServer(options: WireServerOptions): WireServer {
  return new HttpWireServer(options);
}

class HttpWireServer implements WireServer {
  readonly #options: WireServerOptions;
  readonly #streams: StreamPool;
  readonly #servers: Server[] = [];

  constructor(options: WireServerOptions) {
    this.#options = options;
    this.#streams = new StreamPool(options);
  }

  get counters(): StreamCounters {
    return this.#streams.counters;
  }

  async listenUnix(path: string): Promise<void> {
    await listenUnix(this.#createServer(new Set(["localhost"])), path);
  }

  async listenTcp(options: TcpOptions = {}): Promise<TcpAddress> {
    const hosts = new Set<string>();
    const address = await listenTcp(this.#createServer(hosts), options);
    for (const host of address.hosts) hosts.add(host);
    return address;
  }

  idle(timeoutMs: number): Promise<void> {
    return this.#streams.idle(timeoutMs);
  }

  async close(options: { readonly graceMs?: number | undefined } = {}): Promise<void> {
    const closed = this.#servers.map((server) => closeServer(server));
    await this.#streams.close(options.graceMs ?? CLOSE_GRACE_MS);
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(closed);
  }

  #createServer(hosts: ReadonlySet<string>): Server {
    const { source, tokens, page = new Map(), onFault } = this.#options;
    const app = createWireApp({ source, tokens, page, onFault, hosts, streams: this.#streams });
    const server = createAdaptorServer({
      fetch: app.fetch,
      serverOptions: { headersTimeout: 10_000, requestTimeout: 30_000 },
      // The global Request and Response stay what they are.
      overrideGlobalObjects: false,
    }) as Server;
    // A body is asked for by reading it, and that only after the head was found good.
    server.on("checkContinue", (request, response) => server.emit("request", request, response));
    this.#servers.push(server);
    return server;
  }
}

async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
