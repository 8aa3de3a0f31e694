import type { Batch } from "../../src/delta/index.js";

/** What came over the wire of one lane, in bounded memory however long it goes on. */
export interface BatchHistory {
  readonly totals: BatchTotals;
  /** The newest first; at most {@link MAX_LISTED}. */
  readonly listed: readonly ListedBatch[];
  /** Sums from the first batch to the last, evenly thinned out; at most {@link MAX_POINTS} of them. */
  readonly points: readonly PlotPoint[];
  add(batch: {
    readonly seq: number;
    readonly ops: Batch;
    readonly bytes: number;
    readonly snapshotBytes: number;
  }): void;
}

export interface BatchTotals {
  readonly batches: number;
  readonly bases: number;
  readonly bytes: number;
  /** What as many snapshots of the whole state would have been, as JSON. */
  readonly snapshotBytes: number;
}

export interface ListedBatch {
  /** Counts the batches that came, over all connections; `seq` begins anew with a host. */
  readonly number: number;
  readonly seq: number;
  /** Such as `r`, `t a s×2`. */
  readonly verbs: string;
  readonly isBase: boolean;
  readonly bytes: number;
}

export interface PlotPoint {
  readonly batches: number;
  readonly bytes: number;
  readonly snapshotBytes: number;
}

export const MAX_LISTED = 40;
export const MAX_POINTS = 240;

export function createBatchHistory(): BatchHistory {
  const totals = { batches: 0, bases: 0, bytes: 0, snapshotBytes: 0 };
  const listed: ListedBatch[] = [];
  let points: PlotPoint[] = [];
  let stride = 1;
  return {
    totals,
    listed,
    get points() {
      // The newest sum is always shown, also between two strides.
      const last = points.at(-1);
      return last === undefined || last.batches === totals.batches ? points : [...points, pointOf(totals)];
    },
    add({ seq, ops, bytes, snapshotBytes }) {
      const isBase = ops[0]?.[0] === "r";
      totals.batches += 1;
      totals.bases += isBase ? 1 : 0;
      totals.bytes += bytes;
      totals.snapshotBytes += snapshotBytes;
      listed.unshift({ number: totals.batches, seq, verbs: describeVerbs(ops), isBase, bytes });
      if (listed.length > MAX_LISTED) listed.pop();
      if (totals.batches % stride === 0) points.push(pointOf(totals));
      if (points.length >= MAX_POINTS) {
        stride *= 2;
        points = points.filter(({ batches }) => batches % stride === 0);
      }
    },
  };
}

function pointOf({ batches, bytes, snapshotBytes }: BatchTotals): PlotPoint {
  return { batches, bytes, snapshotBytes };
}

/** The verbs in the order in which they first come, each with how often it does. */
export function describeVerbs(ops: Batch): string {
  const counts = new Map<string, number>();
  for (const [verb] of ops) counts.set(verb, (counts.get(verb) ?? 0) + 1);
  return [...counts].map(([verb, count]) => (count === 1 ? verb : `${verb}×${count}`)).join(" ");
}
