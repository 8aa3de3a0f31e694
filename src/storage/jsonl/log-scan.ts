import type { Sequence } from "../contract.js";
import { MAX_COMMIT_BYTES } from "../limits.js";
import type { OpenFile } from "./file-layer.js";
import { LineReader } from "./line-reader.js";
import type { LogTail, ParsedRecord } from "./record.js";

export interface LogDamage {
  /** 1 is the header. */
  readonly line: number;
  readonly offset: number;
  /** A clause about the line. */
  readonly reason: string;
}

/** How far a file makes sense. */
export interface LogPlace {
  readonly tail: LogTail;
  /** Of the last record; 0 behind the header. */
  readonly lastSequence: Sequence;
  readonly lines: number;
}

/** A record that verifies by itself, and where it stands. */
export interface StandingRecord extends ParsedRecord {
  readonly crc: number;
  readonly line: number;
  readonly offset: number;
}

/** Told of what lies where a file has stopped making sense. */
export interface ScanObserver {
  /** A line that is no record. */
  broken(damage: LogDamage): void;
  /** A record that is good, but for what is before it. */
  standing(record: StandingRecord): void;
}

/** Reads a file on from a place to its end, and finds where it stops making sense. */
export class LogScan {
  /** Behind the last line that verifies and follows the one before it. */
  place: LogPlace;
  damage: LogDamage | undefined;
  /** The most that any line says was synced, also a line behind the damage that verifies by itself. */
  highestSynced = 0;
  /** The first number of any record that verifies by itself. */
  lowestSequence = Infinity;
  readonly #file: OpenFile;
  readonly #observer: ScanObserver | undefined;
  readonly #reader = new LineReader();
  /** Number of the line that was looked at last. */
  #line: number;

  constructor(file: OpenFile, place: LogPlace, observer?: ScanObserver) {
    this.#file = file;
    this.#observer = observer;
    this.place = place;
    this.#line = place.lines;
  }

  /** Whether the damage lies at or behind everything known synced: what an interrupted write leaves. */
  get isTorn(): boolean {
    return this.damage !== undefined && this.damage.offset >= this.highestSynced;
  }

  /** The good records, portion by portion. What the fields say holds once this has ended. */
  async *read(): AsyncGenerator<readonly ParsedRecord[]> {
    let buffer = Buffer.allocUnsafe(FIRST_CHUNK_BYTES);
    let offset = this.place.tail.length;
    let filled = 0;
    let searched = 0;
    for (;;) {
      filled += await this.#file.read(buffer.subarray(filled), offset + filled);
      const { records, end } = this.#takeLines(buffer.subarray(0, filled), offset, searched);
      if (records.length > 0) yield records;
      const isLast = filled < buffer.length || filled - end > MAX_LINE_BYTES;
      const next = isLast ? buffer : makeRoom(buffer, filled - end);
      buffer.copy(next, 0, end, filled);
      buffer = next;
      offset += end;
      filled -= end;
      searched = filled;
      if (isLast) break;
    }
    this.#line += 1;
    if (filled > MAX_LINE_BYTES) {
      // What follows is not looked at, so it must not pass for a tail.
      this.highestSynced = Infinity;
      this.#findBroken("it is longer than any record", offset);
    } else if (filled > 0) {
      this.#findBroken("it has no end", offset);
    }
  }

  #takeLines(
    bytes: Buffer,
    offset: number,
    searched: number,
  ): { readonly records: ParsedRecord[]; readonly end: number } {
    const records: ParsedRecord[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LF, searched); end >= 0; end = bytes.indexOf(LF, start)) {
      const record = this.#takeLine(bytes, start, end, offset + start);
      if (record !== undefined) records.push(record);
      start = end + 1;
    }
    return { records, end: start };
  }

  #takeLine(bytes: Buffer, start: number, end: number, offset: number): ParsedRecord | undefined {
    this.#line += 1;
    const crc = this.#reader.verify(bytes, start, end);
    if (crc === undefined) return this.#findBroken("its bytes do not match its checksum", offset);
    const record = this.#reader.parse(bytes, start, end, offset);
    if (record === undefined) return this.#findBroken("it is not a record", offset);
    this.highestSynced = Math.max(this.highestSynced, record.synced);
    this.lowestSequence = Math.min(this.lowestSequence, record.sequence);
    const { tail, lastSequence } = this.place;
    if (record.previousCrc !== tail.crc) this.#find("it does not follow the line before it", offset);
    else if (record.sequence <= lastSequence) this.#find("its sequence does not rise", offset);
    if (this.damage !== undefined) {
      this.#observer?.standing({ ...record, crc, line: this.#line, offset });
      return undefined;
    }
    const length = offset + end - start + 1;
    this.place = { tail: { length, crc }, lastSequence: record.sequence, lines: this.#line };
    return record;
  }

  #findBroken(reason: string, offset: number): undefined {
    this.#find(reason, offset);
    this.#observer?.broken({ line: this.#line, offset, reason });
  }

  #find(reason: string, offset: number): void {
    this.damage ??= { line: this.#line, offset, reason };
  }
}

/** The buffer for the next portion, which begins with what is left of this one. */
function makeRoom(buffer: Buffer<ArrayBuffer>, rest: number): Buffer<ArrayBuffer> {
  if (rest > buffer.length / 2) return Buffer.allocUnsafe(2 * buffer.length);
  return buffer.length < CHUNK_BYTES ? Buffer.allocUnsafe(CHUNK_BYTES) : buffer;
}

const LF = 0x0a;
/** Most files are short. */
const FIRST_CHUNK_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
/** Texts, and room for their keys; a line beyond that cannot be a commit. */
const MAX_LINE_BYTES = 2 * MAX_COMMIT_BYTES;
