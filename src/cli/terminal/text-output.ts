import { constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Writable } from "node:stream";
import type { WriteStream } from "node:tty";

/** Standard output or error, written to by a program that must not wait for whoever reads it. */
export interface TextOutput {
  readonly isTerminal: boolean;
  /** Size of the terminal; 80 × 24 where there is none, or where it does not say. */
  readonly columns: number;
  readonly rows: number;
  /** Whether all that was written has been taken by the reader. */
  readonly isIdle: boolean;
  /** Whether the reader keeps up: what waits for it is little. A writer that can skip does so while it does not. */
  readonly hasRoom: boolean;
  /** Why nothing can be written any more: `EPIPE` when the reader has gone. Later writes are dropped. */
  readonly failure: NodeJS.ErrnoException | undefined;
  write(text: string | Uint8Array): void;
  /** Resolves when the output is idle or has failed. */
  idle(): Promise<void>;
  /** Calls back once, when the output fails. */
  onFailure(callback: (failure: NodeJS.ErrnoException) => void): void;
  onResize(callback: () => void): () => void;
}

/** What may wait for the reader before it counts as behind, in UTF-16 code units or bytes. */
const MAX_WAITING_LENGTH = 65_536;

/** One of the process's own streams; where it is no terminal, `isTTY` is absent, whatever Node's types say. */
export type StandardStream = Omit<WriteStream, "isTTY"> & { readonly fd: 1 | 2; readonly isTTY?: boolean };

export function openTextOutput(stream: StandardStream): TextOutput {
  return new StreamOutput(stream, unblockPipe(stream));
}

class StreamOutput implements TextOutput {
  readonly #stream: StandardStream;
  readonly #sink: Writable;
  readonly #failureCallbacks: ((failure: NodeJS.ErrnoException) => void)[] = [];
  #idleCallbacks: (() => void)[] = [];
  #pendingWrites = 0;
  #waitingLength = 0;
  #failure: NodeJS.ErrnoException | undefined;

  constructor(stream: StandardStream, sink: Writable) {
    this.#stream = stream;
    this.#sink = sink;
    sink.on("error", (error: NodeJS.ErrnoException) => this.#fail(error));
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  get columns(): number {
    return this.#stream.columns || 80;
  }

  get rows(): number {
    return this.#stream.rows || 24;
  }

  get isIdle(): boolean {
    return this.#pendingWrites === 0;
  }

  get hasRoom(): boolean {
    return this.#waitingLength < MAX_WAITING_LENGTH;
  }

  get failure(): NodeJS.ErrnoException | undefined {
    return this.#failure;
  }

  write(text: string | Uint8Array): void {
    if (text.length === 0 || this.#failure !== undefined) return;
    this.#pendingWrites += 1;
    this.#waitingLength += text.length;
    this.#sink.write(text, () => {
      this.#pendingWrites -= 1;
      this.#waitingLength -= text.length;
      if (this.#pendingWrites === 0) this.#callIdle();
    });
  }

  idle(): Promise<void> {
    if (this.isIdle || this.#failure !== undefined) return Promise.resolve();
    return new Promise((resolve) => this.#idleCallbacks.push(resolve));
  }

  onFailure(callback: (failure: NodeJS.ErrnoException) => void): void {
    if (this.#failure === undefined) this.#failureCallbacks.push(callback);
    else callback(this.#failure);
  }

  onResize(callback: () => void): () => void {
    this.#stream.on("resize", callback);
    return () => this.#stream.off("resize", callback);
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#callIdle();
    for (const callback of this.#failureCallbacks.splice(0)) callback(error);
  }

  #callIdle(): void {
    const callbacks = this.#idleCallbacks;
    this.#idleCallbacks = [];
    for (const callback of callbacks) callback();
  }
}

/**
 * Node writes to pipes synchronously, so a reader that pauses (`| less`) would stop signals too. Linux opens a pipe anew
 * through /proc, with a non-blocking flag that is ours alone: set on the inherited descriptor, it would reach every
 * program that shares it.
 */
function unblockPipe(stream: StandardStream): Writable {
  if (stream.isTTY || process.platform !== "linux") return stream;
  try {
    if (!fstatSync(stream.fd).isFIFO()) return stream;
    const fd = openSync(`/proc/self/fd/${stream.fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: false, writable: true });
  } catch {
    // A pipe of another user cannot be opened; it still can be written to as it is.
    return stream;
  }
}
