import type { Socket } from "node:net";
import type { ByteChannel } from "./channel.js";

/** How long what was sent last has to go out. */
const LAST_WORDS_MS = 1_000;

/** A connected socket as a channel. It does not keep the process alive. */
export function socketChannel(socket: Socket): ByteChannel {
  socket.unref();
  return {
    readable: socket,
    writable: socket,
    close() {
      socket.end();
      // What still comes is taken: were it refused, the other end would hear of that and not of what was said last.
      socket.resume();
      setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref();
    },
  };
}
