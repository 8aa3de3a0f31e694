import type { SpillBudget } from "../../output/spill-budget.js";
import { listSpills } from "./spill-listing.js";

/** Bytes after which the folder is measured again: other processes write to it too. */
const REMEASURE_BYTES = 67_108_864;

/**
 * What all executions below a root may save together. The files are measured when the first bytes are asked for, after
 * each 64 MiB, and before any are refused; what other processes write in between is not seen.
 */
export function createSpillBudget(root: string, maxBytes: number): SpillBudget {
  let measured: number | undefined;
  let granted = 0;
  let measuring: Promise<void> | undefined;

  async function measure(): Promise<void> {
    const { spills } = await listSpills(root);
    measured = spills.reduce((sum, { bytes }) => sum + bytes, 0);
    granted = 0;
  }

  function room(): number {
    return measured === undefined ? 0 : Math.max(0, maxBytes - measured - granted);
  }

  return {
    async take(bytes) {
      if (granted >= REMEASURE_BYTES || room() < bytes) {
        measuring ??= measure().finally(() => {
          measuring = undefined;
        });
        await measuring;
      }
      const taken = Math.min(bytes, room());
      granted += taken;
      return taken;
    },
  };
}
