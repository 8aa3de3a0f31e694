import type { Pipe } from "./capture.js";

/** Bytes of one pipe that came together. */
export interface Run {
  readonly pipe: Pipe;
  readonly bytes: Buffer;
}

/** Such bytes while they wait. */
export interface QueuedRun {
  readonly pipe: Pipe;
  /** The place of its first byte. */
  start: number;
  end: number;
  newlines: number;
  /** What a look at its bytes told, once somebody had one; no bytes join it then. */
  traits: RunTraits | undefined;
}

export interface RunTraits {
  /** Control characters other than newlines. */
  readonly controls: number;
  /** Whether its text has as many bytes as it has, less the control characters. */
  readonly keepsSize: boolean;
}

/** Runs are joined up to this size, so that they stay few however small the reads are. */
const JOINED_BYTES = 16_384;

/** A queue of bytes of both pipes in one buffer, which is used again and again. Places count all bytes that ever came. */
export class RunQueue {
  readonly #maxBytes: number;
  #buffer = Buffer.alloc(0);
  /** The place of the buffer's first byte. */
  #origin = 0;
  #start = 0;
  #end = 0;
  #runs: QueuedRun[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get runs(): readonly QueuedRun[] {
    return this.#runs;
  }

  /** All there is, in the order in which it came; good until the next `push`. */
  get bytes(): Buffer {
    return this.bytesOf({ start: this.#start, end: this.#end });
  }

  hasRoom(bytes: number): boolean {
    return this.#end - this.#start + bytes <= this.#maxBytes;
  }

  /** Takes a copy of bytes, of which so many are newlines. */
  push(pipe: Pipe, bytes: Uint8Array, newlines: number): void {
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#end - this.#origin);
    const start = this.#end;
    this.#end += bytes.length;
    const last = this.#runs.at(-1);
    if (last?.pipe === pipe && last.traits === undefined && last.end - last.start < JOINED_BYTES) {
      last.end = this.#end;
      last.newlines += newlines;
    } else this.#runs.push({ pipe, start, end: this.#end, newlines, traits: undefined });
  }

  /** Good until the next `push`. */
  bytesOf({ start, end }: Pick<QueuedRun, "start" | "end">): Buffer {
    return this.#buffer.subarray(start - this.#origin, end - this.#origin);
  }

  /** Takes what lies before the end of a line at `place`; good until the next `push`. */
  takeLinesUntil(place: number): readonly Run[] {
    return this.#takeUntil(place, 1);
  }

  /** Takes the first bytes, in which no line ends; good until the next `push`. */
  takeFirst(bytes: number): readonly Run[] {
    return this.#takeUntil(this.#start + bytes, 0);
  }

  /** Takes all there is; good until the next `push`. */
  takeAll(): readonly Run[] {
    return this.#takeWhole(() => true);
  }

  /** `newlines` is how many there are in the part of a run that is cut off. */
  #takeUntil(place: number, newlines: number): Run[] {
    const taken = this.#takeWhole((run) => run.end <= place);
    const [cut] = this.#runs;
    if (cut === undefined || cut.start >= place) return taken;
    taken.push({ pipe: cut.pipe, bytes: this.bytesOf({ start: cut.start, end: place }) });
    cut.newlines -= newlines;
    cut.start = place;
    this.#start = place;
    return taken;
  }

  #takeWhole(isTaken: (run: QueuedRun) => boolean): Run[] {
    const left = this.#runs.findIndex((run) => !isTaken(run));
    const taken = this.#runs.splice(0, left === -1 ? this.#runs.length : left);
    this.#start = taken.at(-1)?.end ?? this.#start;
    return taken.map((run) => ({ pipe: run.pipe, bytes: this.bytesOf(run) }));
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
