import type { Readable, Writable } from "node:stream";

/** Bytes to and from an exec host: a socket, or what goes in and comes out of a program. */
export interface ByteChannel {
  readonly readable: Readable;
  readonly writable: Writable;
  /** What a program that carries the bytes has said for people, such as why it could not. */
  readonly remarks?: (() => string) | undefined;
  /** Lets go of both directions at once. */
  close(): void;
}
