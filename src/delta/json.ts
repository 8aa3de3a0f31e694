import { refuse } from "./error.js";
import { MAX_DEPTH } from "./op.js";
import type { Json, Path, Segment } from "./op.js";

/** Looks at each object of a value before what is in it; what it throws refuses the value. */
export type Inspect = (object: object, trail: Path) => void;

/**
 * A deep copy of a value that must be JSON and is to stand at `path`; elements of an array from its index `first` on. Throws
 * `not_json`, `too_deep` or `hole` with the path of what is wrong. A key whose value is `undefined` is left out, as
 * `JSON.stringify` does; -0 becomes 0.
 */
export function copyJson(value: unknown, path: Path, first = 0): Json {
  return copyValue(value, [...path], 0, undefined, first);
}

/** The same of a value `above` levels below a root, for which each object in it is looked at first. Paths are within the value. */
export function copyInspected(value: unknown, above: number, inspect: Inspect): Json {
  return copyValue(value, [], above, inspect);
}

/** Writes a key without running a setter: `__proto__` is data here. */
export function defineKey(target: object, key: Segment, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether a value is copied by being handed on. Of the scalars only -0 is not, which becomes 0. */
export function isPlainScalar(value: unknown): value is string | boolean | number | null {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

/**
 * `trail` is the value's path, and is given back as it was; `above` are levels besides. Copying a small container at once and
 * looking at the copy costs a fraction of building it element by element.
 */
function copyValue(value: unknown, trail: Segment[], above: number, inspect: Inspect | undefined, first = 0): Json {
  if (isPlainScalar(value)) return value;
  if (value === 0) return 0;
  if (!isContainer(value)) refuse("not_json", "plain data or a finite number", trail);
  if (above + trail.length >= MAX_DEPTH) refuse("too_deep", `at most ${MAX_DEPTH} levels`, trail);
  inspect?.(value, trail);
  const isArray = Array.isArray(value);
  const copy = (isArray ? [...(value as unknown[])] : { ...value }) as Record<Segment, Json | undefined>;
  const keys = isArray ? value : Object.keys(value);
  for (let at = 0; at < keys.length; at += 1) {
    const key = isArray ? at : (keys[at] as string);
    const element = copy[key];
    if (isPlainScalar(element)) continue;
    trail.push(isArray ? first + at : key);
    if (element === undefined && !isArray) {
      delete copy[key];
    } else {
      if (!(key in value)) refuse("hole", "no holes", trail);
      copy[key] = copyValue(element, trail, above, inspect);
    }
    trail.pop();
  }
  return copy as Json;
}

/** An array or a plain object; those of other realms are plain too, which what their prototype holds tells. */
function isContainer(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value ?? 0) as object | null;
  return prototype === Object.prototype || prototype === null || Object.hasOwn(prototype, "hasOwnProperty");
}
