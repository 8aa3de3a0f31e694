import { isUtf8 } from "node:buffer";
import { countControls, keepsItsSize } from "./byte-scan.js";
import type { Pipe } from "./capture.js";
import { RunQueue } from "./run-queue.js";
import type { QueuedRun, Run, RunTraits } from "./run-queue.js";

/** What is held beyond a full window at most. */
export const BACKLOG_ROOM_BYTES = 262_144;

const MAX_CHARACTER_BYTES = 4;

/** Where a line begins: behind the first newline of this run, which is the pipe's own. */
interface LineStart {
  readonly index: number;
  readonly place: number;
}

/**
 * Bytes that are not decoded yet. A flood that is gone before anybody sees it is never decoded: where what came later fills
 * the window by itself, what came earlier is unseen. Exact, because a newline always ends a line of the text.
 *
 * Nothing is looked at before somebody asks, and then from the end, so that of a flood only what may be seen is.
 */
export class Backlog {
  readonly #queue: RunQueue;
  readonly #maxBytes: number;
  readonly #isFilledBy: (lines: number, textBytes: number) => boolean;

  /** `isFilledBy`: whether whole lines of so many bytes of text, so many of them, leave nothing else in the window. */
  constructor(maxBytes: number, isFilledBy: (lines: number, textBytes: number) => boolean) {
    this.#maxBytes = maxBytes;
    this.#queue = new RunQueue(maxBytes + BACKLOG_ROOM_BYTES);
    this.#isFilledBy = isFilledBy;
  }

  /** Whether there is room for so many bytes more; otherwise some have to be taken first. */
  hasRoom(bytes: number): boolean {
    return this.#queue.hasRoom(bytes);
  }

  /** Takes a copy of bytes, of which so many are newlines. */
  add(pipe: Pipe, bytes: Uint8Array, newlines: number): void {
    this.#queue.push(pipe, bytes, newlines);
  }

  /** Takes what is unseen, up to the start of a line; good until the next `add`. */
  takeUnseen(): readonly Run[] {
    const { runs } = this.#queue;
    let [lines, bytes, leastBytes] = [0, 0, 0];
    for (let index = runs.length - 1; index >= 0; index -= 1) {
      const run = runs[index];
      if (run === undefined) break;
      lines += run.newlines;
      bytes += run.end - run.start;
      // Not measured before it can be enough, and after that not before there is twice as much.
      if (run.newlines === 0 || bytes < leastBytes || !this.#isFilledBy(lines, bytes)) continue;
      const start = { index, place: run.start + this.#queue.bytesOf(run).indexOf(0x0a) + 1 };
      if (this.#isFilledFrom(start)) return this.#queue.takeLinesUntil(start.place);
      leastBytes = bytes * 2;
    }
    return [];
  }

  /** The pipe of all there is, where it is one pipe's, and part of one line. */
  get midLinePipe(): Pipe | undefined {
    const { runs } = this.#queue;
    const pipe = runs[0]?.pipe;
    return runs.every((run) => run.pipe === pipe && run.newlines === 0) ? pipe : undefined;
  }

  /** Takes what may be the rest of a character that began before; good until the next `add`. */
  takeContinuation(): readonly Run[] {
    const start = this.#queue.bytes.subarray(0, MAX_CHARACTER_BYTES - 1);
    const length = start.findIndex((byte) => !isContinuation(byte));
    return this.#queue.takeFirst(length === -1 ? start.length : length);
  }

  /**
   * Drops whole characters in the midst of a line that what is left pushes out of the window, and gives how many bytes that
   * were: as many as their text has, since anything but plain text keeps all.
   */
  dropMidLine(): number {
    const { bytes, runs } = this.#queue;
    // The last character may have come in part.
    let end = bytes.length - this.#maxBytes - MAX_CHARACTER_BYTES;
    while (end > 0 && isContinuation(bytes[end] ?? 0)) end -= 1;
    if (end <= 0 || !runs.every((run) => this.#isPlain(run)) || !isUtf8(bytes.subarray(0, end))) return 0;
    this.#queue.takeFirst(end);
    return end;
  }

  /** Takes all there is; good until the next `add`. */
  take(): readonly Run[] {
    return this.#queue.takeAll();
  }

  #isFilledFrom({ index, place }: LineStart): boolean {
    const runs = this.#queue.runs.slice(index);
    const measure = new LineMeasure(runs[0]?.pipe ?? 0);
    for (const [position, run] of runs.entries()) {
      const bytes = position === 0 ? this.#queue.bytesOf({ start: place, end: run.end }) : this.#queue.bytesOf(run);
      measure.add(run, bytes, position === 0 ? run.newlines - 1 : run.newlines, this.#traitsOf(run));
    }
    return this.#isFilledBy(measure.lines, measure.textBytes);
  }

  #isPlain(run: QueuedRun): boolean {
    const { controls, keepsSize } = this.#traitsOf(run);
    return controls === 0 && keepsSize;
  }

  #traitsOf(run: QueuedRun): RunTraits {
    if (run.traits !== undefined) return run.traits;
    const bytes = this.#queue.bytesOf(run);
    const controls = countControls(bytes, run.newlines);
    run.traits = { controls, keepsSize: keepsItsSize(bytes, controls) };
    return run.traits;
  }
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Measures what begins with a line: how many lines there are, and how many bytes of text at least are in them. */
class LineMeasure {
  lines = 0;
  textBytes = 0;
  /** Bytes of text at least that are in the line without a newline. */
  #openTextBytes = 0;
  /** Pipes of which no sequence is unfinished that would swallow text. */
  readonly #isClear: [boolean, boolean];

  /** Behind a newline of this pipe. */
  constructor(pipe: Pipe) {
    this.#isClear = [pipe === 0, pipe === 1];
  }

  add({ pipe }: Pick<QueuedRun, "pipe">, bytes: Buffer, newlines: number, { controls, keepsSize }: RunTraits): void {
    this.lines += newlines;
    if (!keepsSize) {
      this.#isClear[pipe] = false;
      this.#openTextBytes = 0;
      return;
    }
    const linesEnd = newlines === 0 ? 0 : bytes.lastIndexOf(0x0a) + 1;
    if (newlines > 0) {
      this.textBytes += this.#openTextBytes + (this.#isClear[pipe] ? Math.max(0, linesEnd - controls) : 0);
      this.#openTextBytes = 0;
    }
    if (this.#isClear[pipe]) this.#openTextBytes += Math.max(0, bytes.length - linesEnd - controls);
    if (newlines > 0) this.#isClear[pipe] = true;
  }
}
