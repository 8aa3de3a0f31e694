import { crc32 } from "node:zlib";
import type { AppendOptions } from "../contract.js";
import type { Write } from "../writes.js";
import {
  CRC_LABEL,
  CRC_LENGTH,
  ELEMENTS_LABEL,
  PREVIOUS_LABEL,
  SEQUENCE_LABEL,
  SYNCED_LABEL,
  WRITES_LABEL,
} from "./record.js";
import type { ParsedRecord, Span } from "./record.js";

/** The checksum of a line without its LF, or `undefined` where the line does not bear out its own. */
export function verifyLine(bytes: Buffer, start: number, end: number): number | undefined {
  const labelStart = end - CRC_LENGTH;
  if (labelStart <= start) return undefined;
  const reader = new LineReader(bytes, labelStart, end);
  if (!reader.takes(crcLabel)) return undefined;
  const stated = reader.takeHex();
  if (!reader.takes(lineEnd)) return undefined;
  const crc = crc32(bytes.subarray(start, labelStart));
  return crc === stated ? crc : undefined;
}

/**
 * A line that `verifyLine` has passed, at an offset of its file; `undefined` where it is no record. Whoever wrote a line
 * that verifies wrote it whole and with these bytes, so exactly they are expected: a long history is read in one pass.
 */
export function parseRecord(bytes: Buffer, start: number, end: number, offset: number): ParsedRecord | undefined {
  const reader = new LineReader(bytes, start, end - CRC_LENGTH);
  if (!reader.takes(sequenceLabel)) return undefined;
  const sequence = reader.takeNumber();
  if (!reader.takes(previousLabel)) return undefined;
  const previousCrc = reader.takeHex();
  if (!reader.takes(syncedLabel)) return undefined;
  const synced = reader.takeNumber();
  if (!reader.takes(writesLabel)) return undefined;
  const writes: Write<UnplacedText>[] = [];
  while (reader.takes(openBracket)) {
    if (!takeWrite(reader, writes)) return undefined;
    reader.takes(comma);
  }
  if (!reader.takes(elementsLabel)) return undefined;
  for (const write of writes) if ("text" in write) placeText(write.text, reader, offset - start);
  return reader.takes(closeBracket) && reader.isAtEnd ? { sequence, previousCrc, synced, writes } : undefined;
}

/** A span whose start is known once all statements of its line were read. */
interface UnplacedText extends Span {
  start: number;
}

/** One statement behind its bracket, up to behind the closing one; whether it is one. */
function takeWrite(reader: LineReader, writes: Write<UnplacedText>[]): boolean {
  const kind = reader.takeString();
  if (!reader.takes(comma)) return false;
  if (kind === "open") {
    reader.takeNumber();
    return reader.takes(closeBracket);
  }
  const key = reader.takeString();
  if (kind === "set" || kind === "append") {
    if (!reader.takes(comma)) return false;
    const text = { start: 0, bytes: reader.takeNumber() };
    if (kind === "set") writes.push({ kind, key, text });
    else writes.push({ kind, key, text, options: takeOptions(reader) });
  } else if (kind === "delete" || kind === "clear") {
    writes.push({ kind, key });
  } else if (kind === "retire") {
    writes.push({ kind, scopeId: key });
  } else {
    return false;
  }
  return reader.takes(closeBracket);
}

function takeOptions(reader: LineReader): AppendOptions {
  if (!reader.takes(optionsStart)) return NO_OPTIONS;
  const tag = reader.takes(tagLabel) ? reader.takeString() : undefined;
  reader.takes(comma);
  const supersedes = reader.takes(supersedesLabel);
  reader.takes(optionsEnd);
  return { tag, supersedes };
}

function placeText(text: UnplacedText, reader: LineReader, fileOffset: number): void {
  reader.takes(comma);
  text.start = fileOffset + reader.place;
  reader.skip(text.bytes);
}

/** Takes the bytes of one line apart, from left to right. */
class LineReader {
  place: number;
  readonly #bytes: Buffer;
  readonly #end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.place = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.place === this.#end;
  }

  /** Takes these bytes where they are next. */
  takes(expected: Buffer): boolean {
    if (this.place + expected.length > this.#end) return false;
    for (let index = 0; index < expected.length; index += 1) {
      if (this.#bytes[this.place + index] !== expected[index]) return false;
    }
    this.place += expected.length;
    return true;
  }

  /** Digits, as many as there are. */
  takeNumber(): number {
    let number = 0;
    for (; this.place < this.#end; this.place += 1) {
      const digit = (this.#bytes[this.place] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      number = number * 10 + digit;
    }
    return number;
  }

  /** Eight digits in base 16, in lower case; -1 where there is another character. */
  takeHex(): number {
    let number = 0;
    for (const end = this.place + 8; this.place < end; this.place += 1) {
      const byte = this.#bytes[this.place] ?? 0;
      const digit = byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : NaN;
      number = number * 16 + digit;
    }
    return Number.isNaN(number) ? -1 : number;
  }

  /** A string of characters that JSON does not escape. */
  takeString(): string {
    if (!this.takes(quote)) return "";
    const start = this.place;
    while (this.place < this.#end && this.#bytes[this.place] !== QUOTE) this.place += 1;
    const text = this.#bytes.toString("latin1", start, this.place);
    this.place += 1;
    return text;
  }

  skip(count: number): void {
    this.place += count;
  }
}

const NO_OPTIONS: AppendOptions = {};
const QUOTE = 0x22;
const quote = Buffer.from('"');
const comma = Buffer.from(",");
const openBracket = Buffer.from("[");
const closeBracket = Buffer.from("]");
const lineEnd = Buffer.from('"}');
const crcLabel = Buffer.from(CRC_LABEL);
const sequenceLabel = Buffer.from(SEQUENCE_LABEL);
const previousLabel = Buffer.from(PREVIOUS_LABEL);
const syncedLabel = Buffer.from(SYNCED_LABEL);
const writesLabel = Buffer.from(WRITES_LABEL);
const elementsLabel = Buffer.from(`]${ELEMENTS_LABEL}`);
const optionsStart = Buffer.from(",{");
const tagLabel = Buffer.from('"tag":');
const supersedesLabel = Buffer.from('"supersedes":true');
const optionsEnd = Buffer.from("}");
