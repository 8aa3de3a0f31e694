import type { ServerResponse } from "node:http";
import { WireError } from "./errors.js";
import { EventStream } from "./event-stream.js";
import { createFrameCache } from "./frames.js";
import type { FacetStream } from "./source.js";

export const HEARTBEAT_MS = 5_000;
export const MAX_SUBSCRIBERS = 4_096;
/** How long a subscriber may take nothing of what waits for it before it is cut. */
export const STALL_MS = 120_000;

export interface StreamPoolOptions {
  readonly heartbeatMs?: number | undefined;
  readonly stallMs?: number | undefined;
  readonly maxSubscribers?: number | undefined;
}

export interface StreamCounters {
  /** Those that are open now. */
  readonly open: number;
  readonly opened: number;
  /** Those that were sent their end. */
  readonly ended: number;
  /** Bytes that wait for subscribers who have not drained. */
  readonly pendingBytes: number;
}

/** The open streams of a server, with one heartbeat for all. */
export class StreamPool {
  readonly #heartbeatMs: number;
  readonly #maxStalledBeats: number;
  readonly #maxSubscribers: number;
  readonly #streams = new Set<EventStream>();
  readonly #frames = createFrameCache();
  readonly #idleListeners = new Set<() => void>();
  #beats: NodeJS.Timeout | undefined;
  #opened = 0;
  #ended = 0;

  constructor(options: StreamPoolOptions = {}) {
    this.#heartbeatMs = options.heartbeatMs ?? HEARTBEAT_MS;
    this.#maxStalledBeats = Math.ceil((options.stallMs ?? STALL_MS) / this.#heartbeatMs);
    this.#maxSubscribers = options.maxSubscribers ?? MAX_SUBSCRIBERS;
  }

  get counters(): StreamCounters {
    const pendingBytes = [...this.#streams].reduce((sum, stream) => sum + stream.pendingBytes, 0);
    return { open: this.#streams.size, opened: this.#opened, ended: this.#ended, pendingBytes };
  }

  /** Joins a facet and writes its messages as the response. */
  open(response: ServerResponse, facet: string, source: FacetStream): void {
    if (this.#streams.size >= this.#maxSubscribers) {
      throw new WireError("unavailable", `the server has ${this.#maxSubscribers} subscribers, its most; try later`);
    }
    // Who has left by now is not heard of again.
    if (response.destroyed) return;
    const stream = new EventStream(response, this.#frames, this.#maxStalledBeats);
    this.#streams.add(stream);
    this.#opened += 1;
    this.#beats ??= setInterval(() => this.#beat(), this.#heartbeatMs).unref();
    response.once("finish", () => (this.#ended += 1));
    response.once("close", () => this.#remove(stream));
    stream.open(facet, source);
  }

  /** Lets every stream send what waits, for at most `graceMs`; then cuts those that are left. */
  async close(graceMs: number): Promise<void> {
    for (const stream of this.#streams) stream.release();
    await this.idle(graceMs);
    for (const stream of this.#streams) {
      stream.cut();
      this.#remove(stream);
    }
    clearInterval(this.#beats);
    this.#beats = undefined;
  }

  /** Resolves when no stream is open, or after `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    if (this.#streams.size === 0) return;
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#idleListeners.delete(settle);
        resolve();
      };
      const timer = setTimeout(settle, timeoutMs);
      this.#idleListeners.add(settle);
    });
  }

  #beat(): void {
    for (const stream of this.#streams) stream.beat();
  }

  #remove(stream: EventStream): void {
    stream.leave();
    this.#streams.delete(stream);
    if (this.#streams.size === 0) for (const listener of this.#idleListeners) listener();
  }
}
