import type { EncodedMessage } from "../facet/index.js";
import { PROTOCOL_VERSION } from "../protocol/index.js";

/** The bytes of one server-sent event. JSON text holds no line break, so it is one `data` line. */
export interface FrameCache {
  /** The frame of a message; made once for all who are sent it. */
  frameOf(message: EncodedMessage): Buffer;
}

export function createFrameCache(): FrameCache {
  const frames = new WeakMap<EncodedMessage, Buffer>();
  return {
    frameOf(message) {
      const known = frames.get(message);
      if (known !== undefined) return known;
      const frame = Buffer.from(`id: ${message.message.seq}\ndata: ${message.json}\n\n`);
      frames.set(message, frame);
      return frame;
    },
  };
}

export function openFrame(facet: string): Buffer {
  return Buffer.from(`event: open\ndata: ${JSON.stringify({ protocol: PROTOCOL_VERSION, facet })}\n\n`);
}

/** Visible to every parser, which a comment is not. */
export const HEARTBEAT_FRAME = Buffer.from("event: heartbeat\ndata: {}\n\n");

export const END_FRAME = Buffer.from("event: end\ndata: {}\n\n");
