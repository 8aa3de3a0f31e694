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
import { WordTable } from "./word-table.js";

/**
 * Takes the lines of a file apart, from left to right. Whoever wrote a line that verifies wrote it whole and with these
 * bytes, so exactly they are expected, and one pass is enough: a long history has millions of lines.
 */
export class LineReader {
  readonly #words = new WordTable();
  #bytes: Buffer = NOTHING;
  #place = 0;
  #end = 0;

  /** The checksum of a line without its LF, or `undefined` where the line does not bear out its own. */
  verify(bytes: Buffer, start: number, end: number): number | undefined {
    const labelStart = end - CRC_LENGTH;
    if (labelStart <= start) return undefined;
    this.#begin(bytes, labelStart, end);
    if (!this.#takes(crcLabel)) return undefined;
    const stated = this.#takeHex();
    if (!this.#takes(lineEnd)) return undefined;
    const crc = crc32(bytes.subarray(start, labelStart));
    return crc === stated ? crc : undefined;
  }

  /** A line that `verify` has passed, at an offset of its file; `undefined` where it is no record. */
  parse(bytes: Buffer, start: number, end: number, offset: number): ParsedRecord | undefined {
    this.#begin(bytes, start, end - CRC_LENGTH);
    if (!this.#takes(sequenceLabel)) return undefined;
    const sequence = this.#takeNumber();
    if (!this.#takes(previousLabel)) return undefined;
    const previousCrc = this.#takeHex();
    if (!this.#takes(syncedLabel)) return undefined;
    const synced = this.#takeNumber();
    if (!this.#takes(writesLabel)) return undefined;
    const writes: Write<UnplacedText>[] = [];
    while (this.#takes(openBracket)) {
      if (!this.#takeWrite(writes) || !this.#takes(closeBracket)) return undefined;
      this.#takes(comma);
    }
    if (!this.#takes(elementsLabel)) return undefined;
    for (const write of writes) if ("text" in write) this.#placeText(write.text, offset - start);
    return this.#takes(closeBracket) && this.#place === this.#end
      ? { sequence, previousCrc, synced, writes }
      : undefined;
  }

  #begin(bytes: Buffer, start: number, end: number): void {
    this.#bytes = bytes;
    this.#place = start;
    this.#end = end;
  }

  /** One statement, between its brackets; whether it is one. */
  #takeWrite(writes: Write<UnplacedText>[]): boolean {
    if (this.#takes(appendLabel)) {
      const key = this.#takeWord();
      if (!this.#takes(comma)) return false;
      const text = { start: 0, bytes: this.#takeNumber() };
      writes.push({ kind: "append", key, text, options: this.#takeOptions() });
    } else if (this.#takes(setLabel)) {
      const key = this.#takeWord();
      if (!this.#takes(comma)) return false;
      writes.push({ kind: "set", key, text: { start: 0, bytes: this.#takeNumber() } });
    } else if (this.#takes(retireLabel)) {
      writes.push({ kind: "retire", scopeId: this.#takeWord() });
    } else if (this.#takes(deleteLabel)) {
      writes.push({ kind: "delete", key: this.#takeWord() });
    } else if (this.#takes(clearLabel)) {
      writes.push({ kind: "clear", key: this.#takeWord() });
    } else {
      if (!this.#takes(openLabel)) return false;
      this.#takeNumber();
    }
    return true;
  }

  #takeOptions(): AppendOptions {
    if (!this.#takes(optionsStart)) return NO_OPTIONS;
    const tag = this.#takes(tagLabel) ? this.#takeWord() : undefined;
    this.#takes(comma);
    const supersedes = this.#takes(supersedesLabel);
    this.#takes(optionsEnd);
    return { tag, supersedes };
  }

  #placeText(text: UnplacedText, fileOffset: number): void {
    this.#takes(comma);
    text.start = fileOffset + this.#place;
    this.#place += text.bytes;
  }

  /** Takes these bytes where they are next. */
  #takes(expected: Buffer): boolean {
    const { length } = expected;
    if (this.#place + length > this.#end) return false;
    for (let index = 0; index < length; index += 1) {
      if (this.#bytes[this.#place + index] !== expected[index]) return false;
    }
    this.#place += length;
    return true;
  }

  /** Digits, as many as there are. */
  #takeNumber(): number {
    let number = 0;
    for (; this.#place < this.#end; this.#place += 1) {
      const digit = (this.#bytes[this.#place] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      number = number * 10 + digit;
    }
    return number;
  }

  /** Eight digits in base 16, in lower case; -1 where there is another character. */
  #takeHex(): number {
    let number = 0;
    let isHex = true;
    for (const end = this.#place + 8; this.#place < end; this.#place += 1) {
      const byte = this.#bytes[this.#place] ?? 0;
      const digit = byte >= 0x61 ? byte - 0x57 : byte - 0x30;
      isHex &&= byte >= 0x61 ? digit <= 15 : digit >= 0 && digit <= 9;
      number = (number << 4) | digit;
    }
    return isHex ? number >>> 0 : -1;
  }

  /** A string behind its opening quote, of characters that JSON does not escape, with its closing one. */
  #takeWord(): string {
    const start = this.#place;
    let end = start;
    while (end < this.#end && this.#bytes[end] !== QUOTE) end += 1;
    this.#place = end + 1;
    return this.#words.read(this.#bytes, start, end);
  }
}

/** A span whose start is known once all statements of its line were read. */
interface UnplacedText extends Span {
  start: number;
}

const NOTHING = Buffer.alloc(0);
const NO_OPTIONS: AppendOptions = {};
const QUOTE = 0x22;
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
const appendLabel = Buffer.from('"append","');
const setLabel = Buffer.from('"set","');
const retireLabel = Buffer.from('"retire","');
const deleteLabel = Buffer.from('"delete","');
const clearLabel = Buffer.from('"clear","');
const openLabel = Buffer.from('"open",');
const optionsStart = Buffer.from(",{");
const tagLabel = Buffer.from('"tag":"');
const supersedesLabel = Buffer.from('"supersedes":true');
const optionsEnd = Buffer.from("}");
