import type { Pipe } from "./capture.js";

/** Bytes of one pipe that came together. */
export interface Run {
  readonly pipe: Pipe;
  readonly bytes: Buffer;
  /** ASCII without control characters other than newlines. */
  readonly isPlain: boolean;
}

/** A queue of bytes of both pipes in one buffer, which is used again and again. Places count all bytes that ever came. */
export class RunQueue {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  /** The place of the buffer's first byte. */
  #origin = 0;
  #start = 0;
  #end = 0;
  #runs: { readonly pipe: Pipe; readonly isPlain: boolean; end: number }[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The place behind the last byte. */
  get end(): number {
    return this.#end;
  }

  hasRoom(bytes: number): boolean {
    return this.#end - this.#start + bytes <= this.#maxBytes;
  }

  /** Takes a copy. */
  push(pipe: Pipe, bytes: Uint8Array, isPlain: boolean): void {
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#end - this.#origin);
    this.#end += bytes.length;
    const last = this.#runs.at(-1);
    if (last?.pipe === pipe && last.isPlain === isPlain) last.end = this.#end;
    else this.#runs.push({ pipe, isPlain, end: this.#end });
  }

  /** Takes what lies before `place`; good until the next `push`. */
  takeUntil(place: number): readonly Run[] {
    const taken: Run[] = [];
    let left = 0;
    for (const { pipe, isPlain, end } of this.#runs) {
      const until = Math.min(end, place);
      if (until > this.#start) {
        taken.push({ pipe, isPlain, bytes: this.#buffer.subarray(this.#start - this.#origin, until - this.#origin) });
        this.#start = until;
      }
      if (end > place) break;
      left += 1;
    }
    this.#runs = this.#runs.slice(left);
    return taken;
  }

  #makeRoom(bytes: number): void {
    const length = this.#end - this.#start;
    const from = this.#start - this.#origin;
    if (from + length + bytes <= this.#buffer.length) return;
    const source = this.#buffer;
    if (length + bytes > source.length) {
      const doubled = Math.min(source.length * 2, this.#maxBytes);
      this.#buffer = Buffer.allocUnsafeSlow(Math.max(doubled, length + bytes));
    }
    source.copy(this.#buffer, 0, from, from + length);
    this.#origin = this.#start;
  }
}
