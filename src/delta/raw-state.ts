import { DeltaError, refuse } from "./error.js";
import { copyInspected } from "./json.js";
import { MAX_DEPTH } from "./op.js";
import type { Json, Path } from "./op.js";
import { StatedText } from "./stated-text.js";

/** What stands at a key of the raw state: JSON, except that a string with stated edits stays in pieces. */
export type Slot = null | boolean | number | string | StatedText | RawContainer;
export type RawArray = Slot[];
export type RawObject = { [key: string]: Slot };
export type RawContainer = RawArray | RawObject;

/** What stood at a key at the last flush. Containers are not remembered: what replaces one is sent whole. */
export type Before = null | boolean | number | string | StatedText | typeof CONTAINER | typeof ABSENT;
export const CONTAINER: unique symbol = Symbol("container");
export const ABSENT: unique symbol = Symbol("absent");

export function isRawContainer(slot: unknown): slot is RawContainer {
  return typeof slot === "object" && slot !== null && !(slot instanceof StatedText);
}

/** What to remember of a slot that is about to change. */
export function beforeOf(slot: Slot): Before {
  return isRawContainer(slot) ? CONTAINER : slot;
}

/** A JSON copy of what stands in the raw state, free of live parts. */
export function copySlot(slot: Slot): Json {
  if (typeof slot !== "object" || slot === null) return slot;
  if (slot instanceof StatedText) return slot.toString();
  if (Array.isArray(slot)) return slot.map(copySlot);
  const copy = { ...slot };
  for (const key of Object.keys(copy)) {
    const part = copy[key];
    if (typeof part === "object") copy[key] = copySlot(part);
  }
  return copy as Json;
}

/**
 * A copy of a value that a program writes `depth` levels below the root; see {@link copyInspected}. `pathOf` gives its path, which only
 * an error asks for. What came as text has no symbols and does not hold itself, so only here is that looked at.
 */
export function copyWritten(value: unknown, pathOf: () => Path, depth: number): Json {
  try {
    return copyInspected(value, depth, refuseSymbols);
  } catch (error) {
    if (!(error instanceof DeltaError)) throw error;
    const path = [...pathOf(), ...(error.path ?? [])];
    // A value that holds itself shows as endless depth.
    if (error.code === "too_deep" && holdsItself(value, new Set())) refuse("cycle", "a tree", path);
    throw new DeltaError(error.code, error.reason, path);
  }
}

function refuseSymbols(object: object, path: Path): void {
  if (Object.getOwnPropertySymbols(object).length > 0) refuse("not_json", "strings for keys", path);
}

function holdsItself(value: unknown, above: Set<unknown>): boolean {
  if (typeof value !== "object" || value === null || above.size > MAX_DEPTH) return false;
  if (above.has(value)) return true;
  above.add(value);
  const found = Object.values(value).some((part) => holdsItself(part, above));
  above.delete(value);
  return found;
}
