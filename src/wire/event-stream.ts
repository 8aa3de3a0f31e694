import type { ServerResponse } from "node:http";
import type { EncodedMessage, FacetSubscription } from "../facet/index.js";
import { END_FRAME, HEARTBEAT_FRAME, openFrame } from "./frames.js";
import type { FrameCache } from "./frames.js";
import type { FacetStream, StreamSubscriber } from "./source.js";

/** Bytes that wait for a subscriber who does not keep up, beyond which it is owed a base in place of what follows. */
export const MAX_PENDING_BYTES = 65_536;

/**
 * One subscriber of a facet: writes to its socket at once, and keeps nothing else. Whoever does not drain costs what
 * waits at its socket: one base, or some batches up to {@link MAX_PENDING_BYTES}.
 */
export class EventStream implements StreamSubscriber {
  readonly #response: ServerResponse;
  readonly #frames: FrameCache;
  #subscription: FacetSubscription | undefined;
  #owesBase = false;
  #hasEnded = false;
  #isFinished = false;
  #wroteSinceBeat = false;

  /** `stallMs`: how long nothing may move at the socket before the subscriber is cut. */
  constructor(response: ServerResponse, frames: FrameCache, stallMs: number) {
    this.#response = response;
    this.#frames = frames;
    response.setTimeout(stallMs, () => this.cut());
    response.on("drain", () => this.#drained());
    // A socket that fails is one that closes.
    response.on("error", () => {});
  }

  /** Sends the head and joins; the base follows at once. */
  open(facet: string, stream: FacetStream): void {
    // The stream ends with its connection, so its bytes need no framing of HTTP's: a message is one write.
    this.#response.removeHeader("transfer-encoding");
    this.#response.writeHead(200, STREAM_HEADERS);
    this.#response.write(openFrame(facet));
    this.#subscription = stream.subscribe(this);
    // The end may come from within `subscribe`, and the other side may have left before it.
    if (this.#response.destroyed) this.leave();
    else this.#finish();
  }

  receive(message: EncodedMessage): void {
    if (this.#owesBase || this.#response.destroyed) return;
    const frame = this.#frames.frameOf(message);
    const isBehind = this.#response.writableNeedDrain;
    if (isBehind && this.#response.writableLength + frame.length > MAX_PENDING_BYTES) {
      this.#owesBase = true;
      return;
    }
    this.#wroteSinceBeat = true;
    this.#response.write(frame);
  }

  end(): void {
    this.#hasEnded = true;
    this.#finish();
  }

  cut(): void {
    this.#response.destroy();
  }

  /** Cuts the connection once what waits is sent; where the end is on its way, that does it. */
  release(): void {
    if (!this.#hasEnded) this.#response.socket?.destroySoon();
  }

  leave(): void {
    this.#subscription?.close();
    this.#subscription = undefined;
  }

  /** Bytes that wait at the socket. */
  get pendingBytes(): number {
    return this.#response.writableLength;
  }

  /** Shows that the host lives, where nothing else has. */
  beat(): void {
    if (this.#response.writableNeedDrain) return;
    if (!this.#wroteSinceBeat && !this.#hasEnded) this.#response.write(HEARTBEAT_FRAME);
    this.#wroteSinceBeat = false;
  }

  #drained(): void {
    if (this.#owesBase) {
      this.#owesBase = false;
      this.#subscription?.resync();
    }
    this.#finish();
  }

  // A base that is owed goes before the end: the last value counts.
  #finish(): void {
    if (!this.#hasEnded || this.#owesBase || this.#subscription === undefined || this.#isFinished) return;
    this.#isFinished = true;
    this.#response.end(END_FRAME);
  }
}

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
  connection: "close",
};
