import { crc32 } from "node:zlib";
import type { AppendOptions, Sequence } from "../contract.js";
import type { JsonText, StoredText, Write } from "../writes.js";

/** Where a text lies in its file. */
export interface Span extends StoredText {
  readonly start: number;
}

/** One transaction, not yet in a file. */
export interface RecordDraft {
  readonly sequence: Sequence;
  readonly writes: readonly Write<JsonText>[];
  /** Of the record that begins an opening, which writes nothing. */
  readonly epoch?: number;
}

/** Where a file ends, as far as its lines verify. */
export interface LogTail {
  readonly length: number;
  /** The checksum of the last line. */
  readonly crc: number;
}

/** One transaction whose texts lie in a file. */
export interface PlacedRecord {
  readonly sequence: Sequence;
  readonly writes: readonly Write<Span>[];
}

export interface EncodedRecords {
  readonly bytes: Buffer;
  readonly tail: LogTail;
  readonly records: readonly PlacedRecord[];
}

/** Behind `tail`, one line for each draft. `syncedAt` gives the length known synced for a line that begins at an offset. */
export function encodeRecords(
  drafts: readonly RecordDraft[],
  tail: LogTail,
  syncedAt: (offset: number) => number,
): EncodedRecords {
  const bytes = Buffer.allocUnsafe(drafts.reduce((sum, draft) => sum + boundLine(draft), 0));
  const records: PlacedRecord[] = [];
  let { crc } = tail;
  let end = 0;
  for (const draft of drafts) {
    const start = end;
    const offset = tail.length + start;
    end += bytes.write(headOf(draft, crc, syncedAt(offset)), end, "latin1");
    const writes: Write<Span>[] = [];
    for (const write of draft.writes) {
      if (!("text" in write)) {
        writes.push(write);
        continue;
      }
      if (bytes[end - 1] !== OPEN_BRACKET) end += bytes.write(",", end, "latin1");
      const text = { start: tail.length + end, bytes: write.text.bytes };
      end += bytes.write(write.text.json, end, "utf8");
      writes.push(
        write.kind === "set"
          ? { kind: write.kind, key: write.key, text }
          : { kind: write.kind, key: write.key, text, options: write.options },
      );
    }
    records.push({ sequence: draft.sequence, writes });
    end += bytes.write("]", end, "latin1");
    crc = crc32(bytes.subarray(start, end));
    end += bytes.write(endOfLine(crc), end, "latin1");
  }
  return { bytes: bytes.subarray(0, end), tail: { length: tail.length + end, crc }, records };
}

export interface ParsedRecord {
  readonly sequence: Sequence;
  readonly previousCrc: number;
  readonly synced: number;
  readonly writes: readonly Write<Span>[];
}

export const SEQUENCE_LABEL = '{"seq":';
export const PREVIOUS_LABEL = ',"prev":"';
export const SYNCED_LABEL = '","synced":';
export const WRITES_LABEL = ',"writes":[';
export const ELEMENTS_LABEL = ',"elements":[';
export const CRC_LABEL = ',"crc":"';
/** Of the label, the digits, and the end of the line without its LF. */
export const CRC_LENGTH = CRC_LABEL.length + 8 + 2;
const OPEN_BRACKET = 0x5b;

/** What stands behind the bytes that a line's checksum covers. */
export function endOfLine(crc: number): string {
  return `${CRC_LABEL}${toHex(crc)}"}\n`;
}

/** Eight digits. By a table, because every commit needs two. */
function toHex(crc: number): string {
  return `${hexOfByte(crc >>> 24)}${hexOfByte(crc >>> 16)}${hexOfByte(crc >>> 8)}${hexOfByte(crc)}`;
}

function hexOfByte(bits: number): string {
  return HEX[bits & 0xff] ?? "";
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function headOf({ sequence, writes, epoch }: RecordDraft, previousCrc: number, synced: number): string {
  const tuples = epoch === undefined ? writes.map(toTuple) : [`["open",${epoch}]`];
  const start = `${SEQUENCE_LABEL}${sequence}${PREVIOUS_LABEL}${toHex(previousCrc)}${SYNCED_LABEL}${synced}`;
  return `${start}${WRITES_LABEL}${tuples.join(",")}]${ELEMENTS_LABEL}`;
}

function toTuple(write: Write<JsonText>): string {
  // Keys, tags and ids have no character that JSON would escape.
  switch (write.kind) {
    case "set":
      return `["set","${write.key}",${write.text.bytes}]`;
    case "append":
      return `["append","${write.key}",${write.text.bytes}${toOptions(write.options)}]`;
    case "retire":
      return `["retire","${write.scopeId}"]`;
    default:
      return `["${write.kind}","${write.key}"]`;
  }
}

function toOptions({ tag, supersedes }: AppendOptions): string {
  if (tag === undefined && supersedes !== true) return "";
  return `,${JSON.stringify({ tag, supersedes: supersedes === true ? true : undefined })}`;
}

/** More bytes than a record's line can have. */
export function boundLine({ writes }: RecordDraft): number {
  return writes.reduce(
    (sum, write) =>
      sum + WRITE_BOUND + (write.kind === "retire" ? 64 : write.key.length) + ("text" in write ? write.text.bytes : 0),
    LINE_BOUND,
  );
}

const LINE_BOUND = 160;
/** Brackets, kind, length, tag and `supersedes`. */
const WRITE_BOUND = 150;
