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

export interface EncodedRecords {
  readonly bytes: Buffer;
  readonly tail: LogTail;
  /** Of each record, its writes with the places of their texts in the file. */
  readonly writes: readonly (readonly Write<Span>[])[];
}

/** Behind `tail`, one line for each draft. `syncedAt` gives the length known synced for a line that begins at an offset. */
export function encodeRecords(
  drafts: readonly RecordDraft[],
  tail: LogTail,
  syncedAt: (offset: number) => number,
): EncodedRecords {
  const bytes = Buffer.allocUnsafe(drafts.reduce((sum, draft) => sum + boundOf(draft), 0));
  const writes: Write<Span>[][] = [];
  let { crc } = tail;
  let end = 0;
  for (const draft of drafts) {
    const start = end;
    const offset = tail.length + start;
    end += bytes.write(headOf(draft, crc, syncedAt(offset)), end, "latin1");
    writes.push(
      draft.writes.map((write): Write<Span> => {
        if (!("text" in write)) return write;
        if (bytes[end - 1] !== OPEN_BRACKET) end += bytes.write(",", end, "latin1");
        const span = { start: tail.length + end, bytes: write.text.bytes };
        end += bytes.write(write.text.json, end, "utf8");
        return { ...write, text: span };
      }),
    );
    end += bytes.write("]", end, "latin1");
    crc = crc32(bytes.subarray(start, end));
    end += bytes.write(`${CRC_LABEL}${toHex(crc)}"}\n`, end, "latin1");
  }
  return { bytes: bytes.subarray(0, end), tail: { length: tail.length + end, crc }, writes };
}

export interface ParsedRecord {
  readonly sequence: Sequence;
  readonly previousCrc: number;
  readonly synced: number;
  readonly writes: readonly Write<Span>[];
}

/** A line, without its LF, that `verifyLine` has passed; `undefined` where it is no record. */
export function parseRecord(line: Buffer, offset: number): ParsedRecord | undefined {
  const headEnd = line.indexOf(ELEMENTS_LABEL);
  if (headEnd < 0) return undefined;
  const head: unknown = parseJson(`${line.toString("latin1", 0, headEnd)}}`);
  if (!isHead(head)) return undefined;
  let place = headEnd + ELEMENTS_LABEL.length;
  const writes: Write<Span>[] = [];
  for (const [kind, key, bytes, options] of head.writes) {
    if (kind === "set" || kind === "append") {
      if (!isCount(bytes)) return undefined;
      if (line[place - 1] !== OPEN_BRACKET) place += 1;
      const text = { start: offset + place, bytes };
      writes.push(kind === "set" ? { kind, key, text } : { kind, key, text, options: options ?? {} });
      place += bytes;
    } else if (kind === "delete" || kind === "clear") {
      writes.push({ kind, key });
    } else if (kind === "retire") {
      writes.push({ kind, scopeId: key });
    } else if (kind !== "open") {
      return undefined;
    }
  }
  if (line[place] !== CLOSE_BRACKET || place + 1 !== line.length - CRC_LENGTH) return undefined;
  return { sequence: head.seq, previousCrc: Number.parseInt(head.prev, 16), synced: head.synced, writes };
}

/** The checksum of a line without its LF, or `undefined` where the line does not bear out its own. */
export function verifyLine(line: Buffer): number | undefined {
  const end = line.length - CRC_LENGTH;
  if (end < 1) return undefined;
  const [, hex] = CRC_END.exec(line.toString("latin1", end)) ?? [];
  if (hex === undefined) return undefined;
  const crc = crc32(line.subarray(0, end));
  return crc === Number.parseInt(hex, 16) ? crc : undefined;
}

export const CRC_LABEL = ',"crc":"';
export const CRC_LENGTH = CRC_LABEL.length + 8 + 2;
const CRC_END = /^,"crc":"([0-9a-f]{8})"\}$/;
const ELEMENTS_LABEL = ',"elements":[';
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

export function toHex(crc: number): string {
  return crc.toString(16).padStart(8, "0");
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headOf({ sequence, writes, epoch }: RecordDraft, previousCrc: number, synced: number): string {
  const tuples = epoch === undefined ? writes.map(toTuple) : [`["open",${epoch}]`];
  return `{"seq":${sequence},"prev":"${toHex(previousCrc)}","synced":${synced},"writes":[${tuples.join(",")}]${ELEMENTS_LABEL}`;
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
function boundOf({ writes }: RecordDraft): number {
  return writes.reduce(
    (sum, write) =>
      sum + WRITE_BOUND + (write.kind === "retire" ? 64 : write.key.length) + ("text" in write ? write.text.bytes : 0),
    LINE_BOUND,
  );
}

const LINE_BOUND = 160;
/** Brackets, kind, length, tag and `supersedes`. */
const WRITE_BOUND = 150;

interface RecordHead {
  readonly seq: number;
  readonly prev: string;
  readonly synced: number;
  readonly writes: readonly (readonly [
    kind: string,
    key: string,
    bytes?: number,
    options?: { readonly tag?: string },
  ])[];
}

/** Whoever wrote a line that verifies wrote it whole, so its shape is checked and not every field of its tuples. */
function isHead(head: unknown): head is RecordHead {
  if (typeof head !== "object" || head === null) return false;
  const { seq, prev, synced, writes } = head as Partial<Record<keyof RecordHead, unknown>>;
  return (
    isCount(seq) && isCount(synced) && typeof prev === "string" && Array.isArray(writes) && writes.every(Array.isArray)
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
