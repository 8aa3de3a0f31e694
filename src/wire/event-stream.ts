import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import type { EncodedMessage, FacetSubscription } from "../facet/index.js";
import { END_FRAME, HEARTBEAT_FRAME, openFrame } from "./frames.js";
import type { FrameCache } from "./frames.js";
import type { FacetStream, StreamSubscriber } from "./source.js";

/**
 * Bytes that may wait for a subscriber that does not keep up, where the last base it was sent has fewer: below this,
 * another base would cost more than waiting. Where the base has more, as many may wait as it has.
 */
export const MIN_PENDING_BYTES = 16_384;

/** A message goes to the system in pieces of so many bytes, so that the part that it takes is not one that waits. */
const PIECE_BYTES = 16_384;

/**
 * One subscriber of a facet: writes to its socket at once, and keeps nothing else. Whoever does not drain costs what
 * waits at its socket, which is one base at most; what comes beyond is not kept, and a base is owed in its place.
 */
export class EventStream implements StreamSubscriber {
  readonly #response: ServerResponse;
  readonly #frames: FrameCache;
  readonly #maxStalledBeats: number;
  #subscription: FacetSubscription | undefined;
  #maxPendingBytes = MIN_PENDING_BYTES;
  #owesBase = false;
  #hasEnded = false;
  #isFinished = false;
  #wroteSinceBeat = false;
  #stalledBeats = 0;
  #takenAtBeat = 0;

  /** `maxStalledBeats`: for how many beats nothing of what waits may be taken before the subscriber is cut. */
  constructor(response: ServerResponse, frames: FrameCache, maxStalledBeats: number) {
    this.#response = response;
    this.#frames = frames;
    this.#maxStalledBeats = maxStalledBeats;
    // A socket that fails is one that closes.
    response.on("error", () => {});
  }

  /** Sends the head and joins; the base follows at once. */
  open(facet: string, stream: FacetStream): void {
    // The stream ends with its connection, so its bytes need no framing of HTTP's.
    this.#response.removeHeader("transfer-encoding");
    this.#response.writeHead(200, STREAM_HEADERS);
    this.#response.flushHeaders();
    this.#write(openFrame(facet));
    this.#subscription = stream.subscribe(this);
    // The end may come from within `subscribe`, and the other side may have left before it.
    if (this.#response.destroyed) this.leave();
    else this.#finish();
  }

  receive(message: EncodedMessage): void {
    if (this.#owesBase || this.#response.destroyed || !this.#output.writable) return;
    const frame = this.#frames.frameOf(message);
    const { pendingBytes } = this;
    if (pendingBytes > 0 && pendingBytes + frame.length > this.#maxPendingBytes) {
      this.#oweBase();
      return;
    }
    if (message.message.ops[0]?.[0] === "r") {
      this.#maxPendingBytes = Math.max(MIN_PENDING_BYTES, frame.length);
    }
    this.#write(frame);
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

  /** Bytes that wait at the socket because the system does not take them yet. */
  get pendingBytes(): number {
    return this.#response.writableLength;
  }

  /** Shows that the host lives, where nothing else has; and cuts who has taken nothing for too long. */
  beat(): void {
    if (this.#hasStalled()) this.cut();
    if (this.pendingBytes > 0 || !this.#output.writable) return;
    if (!this.#wroteSinceBeat && !this.#hasEnded) this.#write(HEARTBEAT_FRAME);
    this.#wroteSinceBeat = false;
  }

  // Counted in beats: a timer of the socket would be set anew with every message.
  #hasStalled(): boolean {
    const taken = (this.#response.socket?.bytesWritten ?? 0) - this.pendingBytes;
    const isStuck = this.pendingBytes > 0 && taken === this.#takenAtBeat;
    this.#takenAtBeat = taken;
    this.#stalledBeats = isStuck ? this.#stalledBeats + 1 : 0;
    return this.#stalledBeats >= this.#maxStalledBeats;
  }

  // The response has no part in these bytes, and would hold each until the end of the turn, as if it waited. It has no
  // socket yet while an earlier answer is on its way.
  get #output(): Writable {
    return this.#response.socket ?? this.#response;
  }

  #write(frame: Buffer): void {
    this.#wroteSinceBeat = true;
    for (let from = 0; from < frame.length; from += PIECE_BYTES) {
      this.#output.write(frame.length <= PIECE_BYTES ? frame : frame.subarray(from, from + PIECE_BYTES));
    }
  }

  // Nothing, written behind all that waits, is taken when that is; "drain" would be told only after much has waited.
  #oweBase(): void {
    this.#owesBase = true;
    this.#output.write(NOTHING, () => {
      this.#owesBase = false;
      this.#subscription?.resync();
      this.#finish();
    });
  }

  // A base that is owed goes before the end: the last value counts.
  #finish(): void {
    if (!this.#hasEnded || this.#owesBase || this.#subscription === undefined || this.#isFinished) return;
    this.#isFinished = true;
    this.#response.end(END_FRAME);
  }
}

const NOTHING = Buffer.alloc(0);

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
  connection: "close",
};
