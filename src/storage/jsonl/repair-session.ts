import type { Sequence } from "../contract.js";
import { StorageError } from "../errors.js";
import { EPOCH_SIZE } from "../sequence.js";
import { copyAside } from "./copy-aside.js";
import type { FileLayer } from "./file-layer.js";
import { findKeptPath } from "./file-names.js";
import type { SessionFiles } from "./file-names.js";
import { FORMAT_VERSION } from "./header.js";
import { inspectLog } from "./inspection.js";
import type { LogInspection } from "./inspection.js";
import type { StandingRecord } from "./log-scan.js";
import type { ParsedRecord } from "./record.js";
import { replaceLog } from "./replacement.js";
import { loadRetirements } from "./retirements.js";
import { loadInPortions } from "./rewriting.js";
import type { PlacedCommit } from "./rewriting.js";
import { TextSource } from "./text-source.js";

/** What was done to one file. */
export interface RepairedFile {
  readonly path: string;
  /** Where the damaged original lies. */
  readonly keptAs: string;
  /** Commits that the repaired file holds, the records of openings left out. */
  readonly savedCommits: number;
  /** Lines of the original that are not in it. */
  readonly lostLines: number;
  readonly problems: LogInspection["problems"];
}

/**
 * Replaces each damaged file of a session whose lock is held by one with what can be saved of it, and keeps the original.
 *
 * Of the main log that is every commit that verifies by itself, in the order of their sequences: a commit that is lost
 * leaves a gap. Of a sidecar it is what comes before the damage, because what follows may build on what is lost.
 */
export async function repairFiles(files: FileLayer, names: SessionFiles): Promise<readonly RepairedFile[]> {
  const { main, records, isRetired } = await loadRetirements(files, names, { keepsRecords: true });
  const repaired: RepairedFile[] = [];
  let last = records.reduce((highest, { sequence }) => Math.max(highest, sequence), 0);
  for (const scope of names.sort(await files.list(names.folder)).scopeIds) {
    const prefix = new Prefix();
    const sidecar = await inspectLog(files, names, scope, prefix);
    last = Math.max(last, prefix.lastSequence);
    if (sidecar.state !== "damaged" || (await isRetired(scope, sidecar.header))) continue;
    repaired.push(await repairSidecar(files, names, sidecar, prefix.recordsOf(sidecar), scope));
  }
  if (main.state === "damaged") repaired.unshift(await repairMain(files, names, main, records, last));
  return repaired;
}

async function repairMain(
  files: FileLayer,
  names: SessionFiles,
  main: LogInspection,
  records: readonly ParsedRecord[],
  last: Sequence,
): Promise<RepairedFile> {
  if (main.header === undefined && records.length === 0) {
    throw new StorageError(
      "damaged",
      `Nothing in ${main.path} verifies, so nothing can be saved. Restore it from a copy.`,
    );
  }
  if (main.isForeign) {
    const place = `${main.path}, line 1: ${main.problems[0]?.reason ?? ""}`;
    throw new StorageError("damaged", `${place}. Nothing was changed; give it the name that it had.`);
  }
  const commits = inOrder(records).filter(({ writes }) => writes.length > 0);
  // So that no later opening takes a number again: the record of the last opening may be what was lost.
  const epoch = Math.floor(last / EPOCH_SIZE) + 1;
  const opening = { sequence: epoch * EPOCH_SIZE, epoch, writes: [] };
  // What the session held before is not known as a whole, so it is not to be forked there.
  const header = {
    version: FORMAT_VERSION,
    session: names.sessionId,
    scope: null,
    since: commits.at(-1)?.sequence ?? 0,
  };
  return replace(files, main, header, [...commits, opening], main.brokenLines);
}

async function repairSidecar(
  files: FileLayer,
  names: SessionFiles,
  sidecar: LogInspection,
  records: readonly ParsedRecord[],
  scope: string,
): Promise<RepairedFile> {
  const since = sidecar.header?.since ?? records[0]?.sequence;
  if (since !== undefined) {
    const header = { version: FORMAT_VERSION, session: names.sessionId, scope, since };
    return replace(files, sidecar, header, records, linesOf(sidecar) - records.length);
  }
  // Not even the beginning of the scope's life is known: without its file the scope holds nothing.
  const keptAs = await findKeptPath(files, sidecar.path, "damaged", 1);
  await files.rename(sidecar.path, keptAs);
  await files.syncFolder(names.folder);
  return { path: sidecar.path, keptAs, savedCommits: 0, lostLines: linesOf(sidecar), problems: sidecar.problems };
}

async function replace(
  files: FileLayer,
  damaged: LogInspection,
  header: Parameters<typeof replaceLog>[2],
  commits: readonly PlacedCommit[],
  lostLines: number,
): Promise<RepairedFile> {
  const { path, problems } = damaged;
  const keptAs = await findKeptPath(files, path, "damaged", 1);
  const file = await files.open(path, "read");
  const texts = new TextSource(path, file);
  try {
    await copyAside(files, file, keptAs, { start: 0, bytes: damaged.bytes });
    await (await replaceLog(files, path, header, loadInPortions(commits, texts))).close();
  } finally {
    await texts.close();
  }
  const savedCommits = commits.filter(({ epoch }) => epoch === undefined).length;
  return { path, keptAs, savedCommits, lostLines, problems };
}

function linesOf({ goodRecords, standingRecords, brokenLines }: LogInspection): number {
  return goodRecords + standingRecords + brokenLines;
}

/** Lines may have been swapped or doubled. */
function inOrder(records: readonly ParsedRecord[]): ParsedRecord[] {
  const bySequence = new Map(records.map((record) => [record.sequence, record]));
  return [...bySequence.values()].sort((a, b) => a.sequence - b.sequence);
}

/** The records of a sidecar up to the first gap. */
class Prefix {
  lastSequence: Sequence = 0;
  readonly #good: ParsedRecord[] = [];
  readonly #behindHeader: StandingRecord[] = [];

  good(record: ParsedRecord): void {
    this.#good.push(record);
    this.lastSequence = Math.max(this.lastSequence, record.sequence);
  }

  standing(record: StandingRecord): void {
    const last = this.#behindHeader.at(-1);
    const follows = last === undefined || last.crc === record.previousCrc;
    if (record.line === this.#behindHeader.length + 2 && follows) this.#behindHeader.push(record);
    this.lastSequence = Math.max(this.lastSequence, record.sequence);
  }

  /** Without a header the first record is taken at its word, and what follows it by the checksums. */
  recordsOf({ header, isForeign }: LogInspection): readonly ParsedRecord[] {
    if (isForeign) return [];
    return header === undefined ? this.#behindHeader : this.#good;
  }
}
