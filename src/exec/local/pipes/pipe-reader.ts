import { readSync } from "node:fs";
import { Socket } from "node:net";
import type { OnReadOpts, SocketConstructorOpts } from "node:net";
import { pipeIdentity } from "./fifo-pool.js";

/** Reads one pipe into one buffer, which is used again and again. */
export interface PipeReader {
  /** Whether the pipe gave its end. */
  readonly ended: boolean;
  /** What tells the pipe from all others; absent once it was closed here, for then it may be told of another. */
  readonly identity: string | undefined;
  pause(): void;
  resume(): void;
  /** Reads what lies in the pipe now, at most `maxBytes`, until `onBytes` asks to stop. Gives the number of bytes. */
  readAvailable(maxBytes: number): number;
  /** Lets go of the pipe. Whoever writes to it from then on gets an error. */
  close(): void;
  /** Whether the process stays alive for this pipe's sake. It does at first. */
  keepAlive(keep: boolean): void;
}

export interface PipeReaderEvents {
  /** Bytes that are valid only during the call. False pauses the pipe. */
  readonly onBytes: (bytes: Uint8Array) => boolean;
  /** Nothing more comes. Called once, unless the reader was closed before. */
  readonly onEnd: () => void;
}

/** The capacity of a pipe. */
export const READ_BYTES = 65_536;

/** Takes the descriptor over: it is closed at the end, or by `close`. */
export function createPipeReader(fd: number, events: PipeReaderEvents): PipeReader {
  const identity = pipeIdentity(fd);
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  let ended = false;
  let closed = false;

  const isOver = (): boolean => ended || closed;
  const deliver = (count: number): boolean => events.onBytes(buffer.subarray(0, count));
  const end = (): void => {
    if (isOver()) return;
    ended = true;
    socket.destroy();
    events.onEnd();
  };
  // Node documents `onread` for sockets that connect; it reads any handle this way.
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer,
      callback: (count) => {
        if (isOver()) return false;
        const more = deliver(count);
        if (!more) socket.pause();
        return more;
      },
    },
  };
  const socket = new Socket(options);
  socket.on("end", end);
  // A pipe that cannot be read gives nothing more.
  socket.on("error", end);

  return {
    get ended() {
      return ended;
    },
    get identity() {
      return isOver() ? undefined : identity;
    },
    pause: () => void socket.pause(),
    resume: () => {
      if (!isOver()) socket.resume();
    },
    readAvailable(maxBytes) {
      let total = 0;
      while (!isOver() && total < maxBytes) {
        const count = readNow(fd, buffer, maxBytes - total);
        if (count === undefined) break;
        if (count === 0) {
          end();
          break;
        }
        total += count;
        if (!deliver(count)) break;
      }
      return total;
    },
    close() {
      closed = true;
      socket.destroy();
    },
    keepAlive: (keep) => void (keep ? socket.ref() : socket.unref()),
  };
}

/** 0 at the end of the pipe, undefined when reading would wait. */
function readNow(fd: number, buffer: Buffer, maxBytes: number): number | undefined {
  try {
    return readSync(fd, buffer, 0, Math.min(buffer.length, maxBytes), null);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    return 0;
  }
}
