import { StorageError } from "../errors.js";
import type { FileLayer } from "./file-layer.js";
import type { SessionFiles } from "./file-names.js";
import { MAX_HEADER_BYTES, parseHeader } from "./header.js";
import type { LogHeader } from "./header.js";
import { faultOfHeader } from "./loaded-log.js";
import { LogScan } from "./log-scan.js";
import type { LogDamage, StandingRecord } from "./log-scan.js";
import type { ParsedRecord } from "./record.js";
import { TextSource } from "./text-source.js";

/**
 * How far a file makes sense: `sound`, `torn` where an interrupted write lies at its end, `damaged` where something is
 * wrong that was known to be on disk.
 */
export type LogState = "sound" | "torn" | "damaged";

/** One file of a session, read as a whole. */
export interface LogInspection {
  readonly path: string;
  readonly bytes: number;
  readonly state: LogState;
  /** `undefined` where the first line is no header of this file that verifies. */
  readonly header: LogHeader | undefined;
  /** Records up to the first that is not good. */
  readonly goodRecords: number;
  /** Records behind that which verify by themselves. */
  readonly standingRecords: number;
  /** Lines behind the header that are no record. */
  readonly brokenLines: number;
  /** Whether the header verifies and is another file's: this one was renamed or copied. */
  readonly isForeign: boolean;
  /** What is wrong, in the order of the file, at most 100 places. */
  readonly problems: readonly LogDamage[];
  readonly problemCount: number;
}

/** Given every record of a file that verifies by itself, in the order of the file. */
export interface RecordSink {
  good(record: ParsedRecord): void;
  standing(record: StandingRecord): void;
}

/** Reads a file from its first byte to its last, and all texts in it. */
export async function inspectLog(
  files: FileLayer,
  names: SessionFiles,
  scope: string | null,
  sink: RecordSink = NO_SINK,
): Promise<LogInspection> {
  const path = scope === null ? names.main : names.sidecar(scope);
  const file = await files.open(path, "read");
  try {
    const beginning = Buffer.alloc(MAX_HEADER_BYTES);
    const parsed = parseHeader(beginning.subarray(0, await file.read(beginning, 0)));
    const fault = faultOfHeader(path, parsed?.header, { session: names.sessionId, scope });
    if (fault instanceof StorageError) throw fault;
    const problems = new Problems(sink);
    if (fault !== undefined) problems.add({ line: 1, offset: 0, reason: fault });
    // Without a header nothing follows anything, so every record is merely standing.
    const tail = fault === undefined && parsed !== undefined ? parsed.tail : { length: 0, crc: UNKNOWN_CRC };
    const scan = new LogScan(file, { tail, lastSequence: 0, lines: fault === undefined ? 1 : 0 }, problems);
    const goodRecords = await readAll(scan, new TextSource(path, file), problems, sink);
    const isTorn = fault === undefined && scan.isTorn && problems.all[0]?.offset === scan.damage?.offset;
    return {
      path,
      bytes: (await file.stat()).size,
      state: problems.count === 0 ? "sound" : isTorn ? "torn" : "damaged",
      header: fault === undefined ? parsed?.header : undefined,
      goodRecords,
      standingRecords: problems.standingCount,
      brokenLines: problems.brokenCount,
      isForeign: fault !== undefined && parsed !== undefined,
      problems: problems.all,
      problemCount: problems.count,
    };
  } finally {
    await file.close();
  }
}

async function readAll(scan: LogScan, texts: TextSource, problems: Problems, sink: RecordSink): Promise<number> {
  let line = 1;
  for await (const records of scan.read()) {
    const spans = records.flatMap(({ writes }) => writes.flatMap((write) => ("text" in write ? [write.text] : [])));
    const jsons = await texts.load(spans);
    const isWrong = new Set(spans.filter((_, place) => !isJson(jsons[place] ?? "")));
    for (const record of records) {
      line += 1;
      sink.good(record);
      const wrong = record.writes.flatMap((write) => ("text" in write && isWrong.has(write.text) ? [write.text] : []));
      // The checksum says that the bytes are those that were written; this says that they were right.
      for (const { start } of wrong) problems.add({ line, offset: start, reason: "an element in it is not JSON" });
    }
  }
  return line - 1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Collects what is wrong. Of lines in a row that do not follow, only the first is told: the others follow it. */
class Problems {
  readonly all: LogDamage[] = [];
  standingCount = 0;
  brokenCount = 0;
  count = 0;
  #brokenLine = 0;
  #last: { readonly line: number; readonly crc: number } | undefined;
  readonly #sink: RecordSink;

  constructor(sink: RecordSink) {
    this.#sink = sink;
  }

  add(damage: LogDamage): void {
    this.count += 1;
    if (this.all.length < MAX_PROBLEMS) this.all.push(damage);
  }

  broken(damage: LogDamage): void {
    this.#brokenLine = damage.line;
    if (damage.line === 1) {
      if (this.count === 0) this.add(damage);
      return;
    }
    this.brokenCount += 1;
    this.add(damage);
  }

  standing(record: StandingRecord): void {
    const { line, offset, crc, previousCrc } = record;
    const follows = this.#last?.line === line - 1 && this.#last.crc === previousCrc;
    if (!follows && this.#brokenLine !== line - 1) {
      this.add({ line, offset, reason: "it does not follow the line before it" });
    }
    this.#last = { line, crc };
    this.standingCount += 1;
    this.#sink.standing(record);
  }
}

const NO_SINK: RecordSink = { good: () => undefined, standing: () => undefined };
const UNKNOWN_CRC = -1;
const MAX_PROBLEMS = 100;
