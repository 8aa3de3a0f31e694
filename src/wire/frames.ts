import type { EncodedMessage } from "../facet/index.js";
import { PROTOCOL_VERSION } from "../protocol/index.js";

/** The bytes of one server-sent event. JSON text holds no line break, so it is one `data` line. */
export interface FrameCache {
  /** The frame of a message; made once for all who are sent it. */
  frameOf(message: EncodedMessage): Buffer;
}

/** A message goes to all its subscribers before the next one is sent, so one frame is all there is to keep. */
export function createFrameCache(): FrameCache {
  let last: { readonly message: EncodedMessage; readonly frame: Buffer } | undefined;
  return {
    frameOf(message) {
      if (last?.message !== message) {
        last = { message, frame: Buffer.from(`id: ${message.message.seq}\ndata: ${message.json}\n\n`) };
      }
      return last.frame;
    },
  };
}

export function openFrame(facet: string): Buffer {
  return Buffer.from(`event: open\ndata: ${JSON.stringify({ protocol: PROTOCOL_VERSION, facet })}\n\n`);
}

/** Visible to every parser, which a comment is not. */
export const HEARTBEAT_FRAME = Buffer.from("event: heartbeat\ndata: {}\n\n");

export const END_FRAME = Buffer.from("event: end\ndata: {}\n\n");
