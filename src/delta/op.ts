/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One step into a value: an object key, or an array index (an integer of at least 0). */
export type Segment = string | number;

/** Where in a value an op acts. At most {@link MAX_PATH_SEGMENTS} segments; the empty path is the root. */
export type Path = readonly Segment[];

/**
 * One change of a JSON value. Counts and indexes are UTF-16 code units and array positions.
 *
 * - `r` replaces the whole value; it stands first in its batch or nowhere.
 * - `s` sets an object key or an array element.
 * - `d` deletes an object key.
 * - `a` appends text to a string.
 * - `t` drops `count` code units from the front of a string.
 * - `p` removes `remove` elements of an array at `index` and inserts `items` there.
 */
export type Op =
  | readonly [verb: "r", value: Json]
  | readonly [verb: "s", path: Path, value: Json]
  | readonly [verb: "d", path: Path]
  | readonly [verb: "a", path: Path, text: string]
  | readonly [verb: "t", path: Path, count: number]
  | readonly [verb: "p", path: Path, index: number, remove: number, items: readonly Json[]];

/** What one flush gives. A batch whose first op is `r` is a base batch. */
export type Batch = readonly Op[];

/** A path inline, or the id that an earlier `#` of the same stream gave it. */
export type PathRef = Path | number;

/**
 * An {@link Op} as encoded for a stream. `["#", id, path]` names a path on its second use; an op without a path repeats
 * the path of the op before it in the same batch, and its arity tells.
 */
export type WireOp =
  | readonly [verb: "r", value: Json]
  | readonly [verb: "s", path: PathRef, value: Json]
  | readonly [verb: "s", value: Json]
  | readonly [verb: "d", path: PathRef]
  | readonly [verb: "d"]
  | readonly [verb: "a", path: PathRef, text: string]
  | readonly [verb: "a", text: string]
  | readonly [verb: "t", path: PathRef, count: number]
  | readonly [verb: "t", count: number]
  | readonly [verb: "p", path: PathRef, index: number, remove: number, items: readonly Json[]]
  | readonly [verb: "p", index: number, remove: number, items: readonly Json[]]
  | readonly [verb: "#", id: number, path: Path];

export type WireBatch = readonly WireOp[];

export const MAX_PATH_SEGMENTS = 64;
/** Deepest nesting of a value, counted from the root of the tracked or received value. */
export const MAX_DEPTH = 256;
/** Most path ids that one encoded stream holds at a time. */
export const MAX_PATH_IDS = 1024;

/** Whether a batch, encoded or not, replaces the whole value. */
export function isBase(batch: Batch | WireBatch): boolean {
  return batch[0]?.[0] === "r";
}
