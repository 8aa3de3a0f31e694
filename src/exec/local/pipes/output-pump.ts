import type { Clock } from "../../clock.js";
import type { Pipe } from "../../output/capture.js";
import { createPipeReader } from "./pipe-reader.js";
import type { PipeReader } from "./pipe-reader.js";

/** Where the bytes of both pipes go. The same contract as that of an `OutputCapture`. */
export interface PumpSink {
  push(pipe: Pipe, bytes: Uint8Array): boolean;
  end(pipe: Pipe): void;
}

/** Bytes read of a pipe after the exit at most: all that a pipe can hold, so that nothing written before is lost. */
export const MAX_BYTES_AFTER_EXIT = 1_048_576;
/** How long the pipes may take to end after the exit: enough for a `tee` in a process substitution to finish. */
export const END_GRACE_MS = 300;

const PIPES = [0, 1] as const;

/** Carries the bytes of an execution's two pipes to one sink at a time, in the order in which they are read. */
export class OutputPump {
  readonly #clock: Clock;
  readonly #readers: readonly [stdout: PipeReader, stderr: PipeReader];
  #sink: PumpSink;
  /** Whether the sink has asked to wait. */
  #blocked = false;
  /** Bytes that may still be read of each pipe. */
  #budget: [stdout: number, stderr: number] = [Infinity, Infinity];
  #changed: () => void = () => undefined;

  /** Takes the descriptors over. */
  constructor(fds: readonly [stdout: number, stderr: number], sink: PumpSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
    this.#readers = [this.#read(0, fds[0]), this.#read(1, fds[1])];
  }

  /** Whether some process still has one of the pipes open for writing. */
  get open(): boolean {
    return this.#readers.some((reader) => !reader.ended);
  }

  /** Identities of the pipes that are still read here. */
  get identities(): ReadonlySet<string> {
    return new Set(this.#readers.flatMap((reader) => reader.identity ?? []));
  }

  /** The sink has room again. */
  drained(): void {
    this.#blocked = false;
    for (const pipe of PIPES) if (this.#budget[pipe] > 0) this.#readers[pipe].resume();
    this.#changed();
  }

  /**
   * Reads on once the shell has exited, until each pipe has ended or would block, and ends both towards the sink. A pipe
   * that did not end within {@link END_GRACE_MS} is held by processes that were left behind; it is not read any more.
   */
  async finish(): Promise<void> {
    this.#budget = [MAX_BYTES_AFTER_EXIT, MAX_BYTES_AFTER_EXIT];
    await this.#readRest();
    await this.#wait(() => PIPES.every((pipe) => this.#readers[pipe].ended || this.#budget[pipe] <= 0), END_GRACE_MS);
    await this.#readRest();
    this.#budget = [0, 0];
    for (const pipe of PIPES) {
      if (this.#readers[pipe].ended) continue;
      this.#readers[pipe].pause();
      this.#sink.end(pipe);
    }
  }

  /** Reads on into another sink, without keeping this process alive. */
  redirect(sink: PumpSink): void {
    this.#sink = sink;
    this.#budget = [Infinity, Infinity];
    for (const pipe of PIPES) {
      if (this.#readers[pipe].ended) sink.end(pipe);
      else this.#readers[pipe].keepAlive(false);
    }
    this.drained();
  }

  close(): void {
    for (const reader of this.#readers) reader.close();
  }

  #read(pipe: Pipe, fd: number): PipeReader {
    return createPipeReader(fd, {
      onBytes: (bytes) => {
        this.#budget[pipe] -= bytes.length;
        if (!this.#sink.push(pipe, bytes)) this.#block();
        if (this.#budget[pipe] <= 0) this.#changed();
        return !this.#blocked && this.#budget[pipe] > 0;
      },
      onEnd: () => {
        this.#sink.end(pipe);
        this.#changed();
      },
    });
  }

  #block(): void {
    this.#blocked = true;
    for (const reader of this.#readers) reader.pause();
  }

  /** Empties both pipes, as far as their budgets go. */
  async #readRest(): Promise<void> {
    do {
      await this.#wait(() => !this.#blocked);
      for (const pipe of PIPES) {
        if (!this.#blocked && this.#budget[pipe] > 0) this.#readers[pipe].readAvailable(this.#budget[pipe]);
      }
    } while (this.#blocked);
  }

  /** Until `isMet`, which is asked whenever something changed, or for `limitMs`. */
  #wait(isMet: () => boolean, limitMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        timer?.cancel();
        this.#changed = () => undefined;
        resolve();
      };
      const timer = limitMs === undefined ? undefined : this.#clock.after(limitMs, done);
      this.#changed = () => {
        if (isMet()) done();
      };
      this.#changed();
    });
  }
}
