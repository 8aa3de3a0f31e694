import { DeltaError } from "./error.js";
import { MAX_PATH_SEGMENTS } from "./op.js";
import type { Path, Segment } from "./op.js";

/** Refuses what is no {@link Path}. `index` is the op's position, for the error. */
export function checkPath(path: unknown, index: number): asserts path is Path {
  if (!Array.isArray(path)) {
    throw new DeltaError("bad_path", "a path is an array of object keys and array indexes", { index });
  }
  if (path.length > MAX_PATH_SEGMENTS) {
    throw new DeltaError("bad_path", `a path has at most ${MAX_PATH_SEGMENTS} segments, this one has ${path.length}`, {
      index,
    });
  }
  for (const segment of path as unknown[]) checkSegment(segment, index);
}

function checkSegment(segment: unknown, index: number): void {
  if (typeof segment === "string") {
    if (isRefusedSegment(segment)) {
      throw new DeltaError(
        "refused_segment",
        `a path must not go through ${segment}; send the object around it as a value`,
        { index },
      );
    }
  } else if (typeof segment !== "number" || !isCount(segment)) {
    throw new DeltaError("bad_path", "a path segment is a string or an integer of at least 0", { index });
  }
}

/** Keys that reach a prototype in careless code. As keys inside a value they are data like any other. */
export function isRefusedSegment(segment: Segment): boolean {
  return segment === "__proto__" || segment === "constructor" || segment === "prototype";
}

/** Whether `value` can count code units or elements: an integer of at least 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
