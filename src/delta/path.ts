import { refuse } from "./error.js";
import { MAX_PATH_SEGMENTS } from "./op.js";
import type { Path, Segment } from "./op.js";

/** Gives `path` back, or refuses what is no {@link Path}. */
export function checkPath(path: unknown): Path {
  if (!Array.isArray(path) || path.length > MAX_PATH_SEGMENTS) refuseShape();
  for (const segment of path as unknown[]) {
    if (typeof segment !== "string") {
      if (!isCount(segment)) refuseShape();
    } else if (isRefusedSegment(segment)) {
      refuse("refused_segment", `the object around ${segment}`);
    }
  }
  return path;
}

/** Keys that reach a prototype in careless code. As keys inside a value they are data like any other. */
export function isRefusedSegment(segment: Segment): boolean {
  return REFUSED.includes(segment);
}

const REFUSED: readonly Segment[] = ["__proto__", "constructor", "prototype"];

/** Whether `value` can count code units or elements: an integer of at least 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function refuseShape(): never {
  refuse("bad_path", `at most ${MAX_PATH_SEGMENTS} keys and indexes`);
}
