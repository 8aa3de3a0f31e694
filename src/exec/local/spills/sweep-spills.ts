import { rmdir, stat, unlink as unlinkFile } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { systemClock } from "../../clock.js";
import type { Clock } from "../../clock.js";
import { ExecError } from "../../errors.js";
import { createProcessControl } from "../processes/process-control.js";
import type { ProcessTable } from "../processes/process-table.js";
import { recordRemovals } from "./removal-journal.js";
import type { RemovalReason, RemovalRecord } from "./removal-journal.js";
import { chooseRemovals, findRemovable, sumBytes } from "./removal-choice.js";
import type { KeepSpills, Removal } from "./removal-choice.js";
import { isGone, listSpills, noteFailure, readStats } from "./spill-listing.js";
import type { SpillEntry, SpillFailure } from "./spill-listing.js";

/** Most bytes of all spills below one root. */
export const DEFAULT_MAX_ENV_SPILL_BYTES = 10_737_418_240;
/** How long a spill is kept after the last write to it: 7 days. */
export const DEFAULT_MAX_SPILL_AGE_MS = 604_800_000;
/** A file that was written to within this time may be in use: 1 hour. */
export const DEFAULT_MIN_SPILL_IDLE_MS = 3_600_000;

export interface SpillSweepLimits {
  /** Default 10 GiB. */
  readonly maxBytes?: number | undefined;
  /** Default 7 days. */
  readonly maxAgeMs?: number | undefined;
  /** Default 1 hour. */
  readonly minIdleMs?: number | undefined;
}

export interface SweepSpillsOptions extends SpillSweepLimits {
  /** The absolute folder that holds spills, or folders of spills, one a session. Nothing outside of it is touched. */
  readonly folder: string;
  readonly keep: KeepSpills;
  readonly clock?: Clock | undefined;
  /** Tells which executions live. Default the processes of this machine. */
  readonly table?: ProcessTable | undefined;
  /** How a file is removed; for tests of files that cannot be. */
  readonly unlink?: ((path: string) => Promise<void>) | undefined;
}

export interface SweepReport {
  readonly removed: readonly RemovedSpill[];
  /** What could not be looked at or removed. */
  readonly failed: readonly SpillFailure[];
  /** What all spills that stay have together. */
  readonly bytes: number;
}

export interface RemovedSpill {
  readonly path: string;
  readonly bytes: number;
  readonly reason: RemovalReason;
}

/**
 * Removes spills that are too old, and then the oldest until all of them together are within their quota, and notes each
 * removal beside it for {@link readSpillFate}. Stays away from what is to be kept, what was written to lately, and what
 * belongs to an execution of which a process lives, whoever runs it. Folders that are empty go too.
 *
 * @throws {ExecError} `invalid_argument` for limits that cannot be.
 */
export async function sweepSpills(options: SweepSpillsOptions): Promise<SweepReport> {
  const { folder, keep, clock = systemClock, unlink = unlinkFile } = options;
  const { maxBytes, maxAgeMs, minIdleMs } = checkLimits(options);
  const table = options.table ?? createProcessControl(process.platform, clock).table;
  const now = clock.now();
  const { spills, folders, failed } = await listSpills(folder);
  const failures = [...failed];
  const removable = await findRemovable(spills, { keep, table, now, idleSince: now - minIdleMs });
  const chosen = chooseRemovals(spills, removable, { oldest: now - maxAgeMs, maxBytes });

  const removed: RemovedSpill[] = [];
  for (const [of, removals] of groupByFolder(chosen)) {
    await noteAround(of, toRecords(removals, now), failures, async () => {
      for (const removal of removals) removed.push(...(await removeSpill(removal, unlink, failures)));
    });
  }
  for (const empty of folders) await removeFolder(empty, now - minIdleMs, failures);

  const gone = new Set(removed.map(({ path }) => path));
  const left = spills.filter(({ path }) => !gone.has(path));
  return { removed, failed: failures, bytes: sumBytes(left) };
}

function checkLimits(options: SweepSpillsOptions): Required<Record<keyof SpillSweepLimits, number>> {
  const {
    folder,
    maxBytes = DEFAULT_MAX_ENV_SPILL_BYTES,
    maxAgeMs = DEFAULT_MAX_SPILL_AGE_MS,
    minIdleMs = DEFAULT_MIN_SPILL_IDLE_MS,
  } = options;
  if (!isAbsolute(folder)) {
    throw new ExecError(
      "invalid_argument",
      `folder is ${JSON.stringify(folder)}; give the absolute path of the spills`,
    );
  }
  for (const [name, value] of Object.entries({ maxBytes, maxAgeMs, minIdleMs })) {
    if (value >= 0 && value <= Number.MAX_SAFE_INTEGER) continue;
    throw new ExecError("invalid_argument", `${name} is ${value}; give a number from 0 on`);
  }
  return { maxBytes, maxAgeMs, minIdleMs };
}

function groupByFolder(removals: readonly Removal[]): ReadonlyMap<string, readonly Removal[]> {
  const groups = new Map<string, Removal[]>();
  for (const removal of removals) {
    const [{ folder }] = removal;
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [removal]);
    else group.push(removal);
  }
  return groups;
}

function toRecords(removals: readonly Removal[], removedAt: number): readonly RemovalRecord[] {
  return removals.map(([{ path, bytes }, reason]) => ({ file: basename(path), removedAt, reason, bytes }));
}

/**
 * Notes removals before they happen: of a file that is there nobody reads the note. On a full disk there is room for it
 * only afterwards.
 */
async function noteAround(
  folder: string,
  records: readonly RemovalRecord[],
  failed: SpillFailure[],
  remove: () => Promise<void>,
): Promise<void> {
  const isNoted = await recordRemovals(folder, records).then(
    () => true,
    () => false,
  );
  await remove();
  if (!isNoted) await recordRemovals(folder, records).catch((error: unknown) => noteFailure(failed, folder, error));
}

async function removeSpill(
  [spill, reason]: Removal,
  unlink: (path: string) => Promise<void>,
  failed: SpillFailure[],
): Promise<readonly RemovedSpill[]> {
  const { path, bytes } = spill;
  try {
    if (!(await isAsListed(spill))) return [];
    await unlink(path);
    return [{ path, bytes, reason }];
  } catch (error) {
    noteFailure(failed, path, error);
    return [];
  }
}

/** Somebody may have begun to write to it meanwhile, or have removed it. */
async function isAsListed({ path, bytes, modifiedAt }: SpillEntry): Promise<boolean> {
  const now = await readStats(path);
  return now?.bytes === bytes && now.modifiedAt === modifiedAt;
}

/** Not one that was made just now, for a file that is about to be. */
async function removeFolder(folder: string, idleSince: number, failed: SpillFailure[]): Promise<void> {
  try {
    if ((await stat(folder)).mtimeMs > idleSince) return;
    await rmdir(folder);
  } catch (error) {
    const isUsed = error instanceof Error && "code" in error && (error.code === "ENOTEMPTY" || error.code === "EEXIST");
    if (!isUsed && !isGone(error)) noteFailure(failed, folder, error);
  }
}
