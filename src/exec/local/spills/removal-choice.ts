import type { ProcessTable } from "../processes/process-table.js";
import type { RemovalReason } from "./removal-journal.js";
import type { SpillEntry } from "./spill-listing.js";

/** Which spills must stay whatever their age: those that unsettled operations refer to. By absolute path. */
export type KeepSpills = ReadonlySet<string> | ((path: string) => boolean);

/** What tells spills that are in use from others. Times in Unix milliseconds. */
export interface InUse {
  readonly keep: KeepSpills;
  readonly table: ProcessTable;
  readonly now: number;
  /** What was written to since then may be in use. */
  readonly idleSince: number;
}

/** The spills that nobody uses. */
export async function findRemovable(
  spills: readonly SpillEntry[],
  { keep, table, now, idleSince }: InUse,
): Promise<readonly SpillEntry[]> {
  const isKept = typeof keep === "function" ? keep : (path: string) => keep.has(path);
  const idle = spills.filter(({ path, modifiedAt }) => !isRecent(modifiedAt, idleSince, now) && !isKept(path));
  if (idle.length === 0) return [];
  const live = await liveMarkers(table);
  return idle.filter(({ executionId }) => !live.has(executionId));
}

/** A time that is as far ahead was set by another clock, and says nothing. */
function isRecent(time: number, since: number, now: number): boolean {
  return time > since && time < now + (now - since);
}

/** The marker of an execution is its id. */
async function liveMarkers(table: ProcessTable): Promise<ReadonlySet<string>> {
  const processes = await table.list({ since: 0 });
  return new Set(processes.flatMap((process) => process.markers()));
}

export type Removal = readonly [spill: SpillEntry, reason: RemovalReason];

/** What is older than `oldest`, and the oldest of the others until `maxBytes` are enough for all that stay. */
export function chooseRemovals(
  spills: readonly SpillEntry[],
  removable: readonly SpillEntry[],
  { oldest, maxBytes }: { readonly oldest: number; readonly maxBytes: number },
): readonly Removal[] {
  let bytes = sumBytes(spills);
  const removals: Removal[] = [];
  for (const spill of removable.toSorted((a, b) => a.modifiedAt - b.modifiedAt)) {
    const isOld = spill.modifiedAt < oldest;
    if (!isOld && bytes <= maxBytes) break;
    removals.push([spill, isOld ? "age" : "quota"]);
    bytes -= spill.bytes;
  }
  return removals;
}

export function sumBytes(spills: readonly SpillEntry[]): number {
  return spills.reduce((sum, { bytes }) => sum + bytes, 0);
}
