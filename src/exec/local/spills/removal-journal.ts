import { constants, open } from "node:fs/promises";
import { join } from "node:path";
import { isGone } from "./spill-listing.js";

/** Why a sweep removed a spill: it was too old, or all of them together were too large. */
export type RemovalReason = "age" | "quota";

/** One line of the journal that a session's folder has of the spills that were in it. */
export interface RemovalRecord {
  /** The name of the file, without its folder. */
  readonly file: string;
  /** Unix milliseconds. */
  readonly removedAt: number;
  readonly reason: RemovalReason;
  /** How large it was. */
  readonly bytes: number;
}

const JOURNAL_NAME = "removed.jsonl";
/** Some 40,000 records. Of a longer journal the end is read. */
const MAX_JOURNAL_BYTES = 4_194_304;

/** Adds records in one write, so that sweeps of several processes do not mix theirs. */
export async function recordRemovals(folder: string, records: readonly RemovalRecord[]): Promise<void> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const journal = await open(join(folder, JOURNAL_NAME), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    // The newline before them ends a line that a crash has cut off.
    await journal.write(`\n${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
  } finally {
    await journal.close();
  }
}

/** The last record of a file; `undefined` where there is none. */
export async function findRemoval(folder: string, file: string): Promise<RemovalRecord | undefined> {
  const lines = (await readJournal(folder)).split("\n");
  for (const line of lines.reverse()) {
    const record = parseRecord(line);
    if (record?.file === file) return record;
  }
  return undefined;
}

async function readJournal(folder: string): Promise<string> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  try {
    const journal = await open(join(folder, JOURNAL_NAME), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { size } = await journal.stat();
      const length = Math.min(size, MAX_JOURNAL_BYTES);
      const { buffer, bytesRead } = await journal.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (isGone(error)) return "";
    throw error;
  }
}

function parseRecord(line: string): RemovalRecord | undefined {
  if (!line.startsWith("{")) return undefined;
  let value: Partial<RemovalRecord>;
  try {
    value = JSON.parse(line) as Partial<RemovalRecord>;
  } catch {
    return undefined;
  }
  const { file, removedAt, reason, bytes } = value;
  if (typeof file !== "string" || typeof removedAt !== "number" || typeof bytes !== "number") return undefined;
  return reason === "age" || reason === "quota" ? { file, removedAt, reason, bytes } : undefined;
}
