import { isPlainText, keepsItsSize } from "./byte-scan.js";
import type { ByteScan } from "./byte-scan.js";
import type { Pipe } from "./capture.js";
import { RunQueue } from "./run-queue.js";
import type { Run } from "./run-queue.js";

/** What is held beyond a full window at most. */
export const BACKLOG_ROOM_BYTES = 262_144;
/** A new stretch is not begun before the last one has so many bytes, so that they stay few. */
const MIN_STRETCH_BYTES = 16_384;

/** Bytes that begin with a line. */
interface Stretch {
  readonly start: number;
  lines: number;
  /** So many bytes of text at least are in its lines. */
  textBytes: number;
}

/**
 * Bytes that are not decoded yet. A flood that is gone before anybody sees it is never decoded: as soon as what came later
 * fills the window by itself, what came earlier is unseen. Exact, because a newline always ends a line of the text.
 */
export class Backlog {
  readonly #runs: RunQueue;
  readonly #isFilledBy: (lines: number, textBytes: number) => boolean;
  #stretches: Stretch[] = [];
  /** Bytes of text at least that are in the line without a newline, at the end of the last stretch. */
  #openTextBytes = 0;
  /** Pipes of which no sequence is unfinished that would swallow text. */
  #isClear: [boolean, boolean] = [false, false];

  /** `isFilledBy`: whether whole lines of so many bytes of text, so many of them, leave nothing else in the window. */
  constructor(maxBytes: number, isFilledBy: (lines: number, textBytes: number) => boolean) {
    this.#runs = new RunQueue(maxBytes + BACKLOG_ROOM_BYTES);
    this.#isFilledBy = isFilledBy;
  }

  /** Whether there is room for so many bytes more; otherwise all has to be taken first. */
  hasRoom(bytes: number): boolean {
    return this.#runs.hasRoom(bytes);
  }

  /** Takes a copy. */
  add(pipe: Pipe, bytes: Buffer, scan: ByteScan): void {
    const isPlain = isPlainText(bytes, scan);
    const keepsSize = isPlain || keepsItsSize(bytes, scan);
    const newStart = this.#runs.end + (scan.newlines > 0 && this.#wantsStretch() ? bytes.indexOf(0x0a) + 1 : 0);
    this.#runs.push(pipe, bytes, isPlain);
    if (newStart === this.#runs.end - bytes.length) return this.#measure(pipe, bytes, scan, keepsSize);
    this.#stretches.push({ start: newStart, lines: 0, textBytes: 0 });
    this.#openTextBytes = 0;
    this.#isClear = [pipe === 0, pipe === 1];
    const rest = bytes.subarray(bytes.length - (this.#runs.end - newStart));
    this.#measure(pipe, rest, { ...scan, newlines: scan.newlines - 1 }, keepsSize);
  }

  /** Takes what is unseen, up to the start of a line; good until the next `add`. */
  takeUnseen(): readonly Run[] {
    let lines = 0;
    let textBytes = 0;
    const first = this.#stretches.findLastIndex((stretch) => {
      lines += stretch.lines;
      textBytes += stretch.textBytes;
      return this.#isFilledBy(lines, textBytes);
    });
    if (first === -1) return [];
    this.#stretches = this.#stretches.slice(first);
    return this.#runs.takeUntil(this.#stretches[0]?.start ?? 0);
  }

  /** Takes all there is; good until the next `add`. */
  take(): readonly Run[] {
    this.#stretches = [];
    return this.#runs.takeUntil(this.#runs.end);
  }

  #wantsStretch(): boolean {
    const last = this.#stretches.at(-1);
    return last === undefined || this.#runs.end - last.start >= MIN_STRETCH_BYTES;
  }

  #measure(pipe: Pipe, bytes: Buffer, { newlines, controls }: ByteScan, keepsSize: boolean): void {
    const last = this.#stretches.at(-1);
    if (last === undefined) return;
    last.lines += newlines;
    if (!keepsSize) {
      this.#isClear[pipe] = false;
      this.#openTextBytes = 0;
      return;
    }
    const linesEnd = newlines === 0 ? 0 : bytes.lastIndexOf(0x0a) + 1;
    if (newlines > 0) {
      last.textBytes += this.#openTextBytes + (this.#isClear[pipe] ? Math.max(0, linesEnd - controls) : 0);
      this.#openTextBytes = 0;
    }
    if (this.#isClear[pipe]) this.#openTextBytes += Math.max(0, bytes.length - linesEnd - controls);
    if (newlines > 0) this.#isClear[pipe] = true;
  }
}
