import type { Connection } from "../../src/wire/client/index.js";

/** Knows how many bytes the event that is read right now took on the wire. */
export interface FrameMeter {
  /** Bytes of the last event that was handed on, its framing included. */
  readonly frameBytes: number;
  /** The same bytes, handed on in pieces that end where an event ends. */
  measure(connection: Connection): Connection;
}

const NEWLINE = 0x0a;

export function createFrameMeter(): FrameMeter {
  let frameBytes = 0;
  return {
    get frameBytes() {
      return frameBytes;
    },
    measure(connection) {
      const { close } = connection;
      return {
        ...(close !== undefined && { close }),
        async *[Symbol.asyncIterator]() {
          let open = 0;
          let last = 0;
          for await (const piece of connection) {
            let from = 0;
            for (let at = 0; at < piece.length; at += 1) {
              const isEnd = piece[at] === NEWLINE && (at === 0 ? last : piece[at - 1]) === NEWLINE;
              if (!isEnd) continue;
              frameBytes = open + at + 1 - from;
              yield piece.subarray(from, at + 1);
              from = at + 1;
              open = 0;
            }
            last = piece[piece.length - 1] ?? last;
            open += piece.length - from;
            if (from < piece.length) yield piece.subarray(from);
          }
        },
      };
    },
  };
}
