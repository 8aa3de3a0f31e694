import { basename, dirname } from "node:path";
import { findRemoval } from "./removal-journal.js";
import type { RemovalReason } from "./removal-journal.js";
import { readStats } from "./spill-listing.js";

/**
 * What became of a spill.
 *
 * - `present`: it is there and has this size.
 * - `expired`: a sweep removed it, then and for that reason; `bytes` is the size it had.
 * - `missing`: it is not there, and no sweep knows of it: it was never made, somebody deleted it, or its session is gone.
 */
export type SpillFate =
  | { readonly state: "present"; readonly bytes: number }
  | {
      readonly state: "expired";
      /** Unix milliseconds. */
      readonly removedAt: number;
      readonly reason: RemovalReason;
      readonly bytes: number;
    }
  | { readonly state: "missing" };

/** Tells what became of the spill with this absolute path. Follows no link. */
export async function readSpillFate(path: string): Promise<SpillFate> {
  const stats = await readStats(path);
  if (stats !== undefined) return { state: "present", bytes: stats.bytes };
  const removal = await findRemoval(dirname(path), basename(path));
  if (removal === undefined) return { state: "missing" };
  const { removedAt, reason, bytes } = removal;
  return { state: "expired", removedAt, reason, bytes };
}
