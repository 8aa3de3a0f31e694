import { DeltaError } from "./error.js";
import { MAX_DEPTH } from "./op.js";
import type { Json, Path, Segment } from "./op.js";

/**
 * A deep copy of a value that must be JSON. Throws `not_json`, `cycle`, `too_deep` or `hole` with the path of what is wrong.
 *
 * `at` is the value's path, for the error and for the depth; `above` counts the levels that lie over the root of that path.
 * A key whose value is `undefined` is left out, as `JSON.stringify` does; -0 becomes 0.
 */
export function copyJson(value: unknown, at: Path, above = 0): Json {
  const copy = copyQuickly(value, MAX_DEPTH - at.length - above);
  if (copy !== undefined) return copy;
  return isContainer(value) ? copyContainer(value, { trail: [...at], above }) : checkScalar(value, at);
}

/** Copies of the elements that go into the array at `path` from `index` on; see {@link copyJson}. */
export function copyItems(items: readonly unknown[], path: Path, index: number, above = 0): Json[] {
  const copies: Json[] = [];
  for (const item of items) {
    const quick = copyQuickly(item, MAX_DEPTH - path.length - 1 - above);
    copies.push(quick === undefined ? copyAt(item, index + copies.length, { trail: [...path], above }) : quick);
  }
  return copies;
}

/** Refuses what {@link copyJson} refuses; what is plainly JSON is not copied for that. */
export function checkJson(value: unknown, at: Path): void {
  if (!isSound(value, MAX_DEPTH - at.length)) copyJson(value, at);
}

/** {@link checkJson} for the elements that go into the array at `path` from `index` on. */
export function checkItems(items: readonly unknown[], path: Path, index: number): void {
  for (let offset = 0; offset < items.length; offset += 1) {
    const item = items[offset];
    if (!isSound(item, MAX_DEPTH - path.length - 1)) copyItems([item], path, index + offset);
  }
}

/** Writes a key without running a setter: `__proto__` is data here. */
export function defineKey(target: object, key: Segment, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A copy of a value that is plainly JSON and nests at most `room` levels; of any other nothing, and a {@link Walk} says why. */
function copyQuickly(value: unknown, room: number): Json | undefined {
  if (typeof value !== "object" || value === null) return copyScalar(value);
  if (room <= 0) return undefined;
  if (Array.isArray(value)) {
    const copy: Json[] = [];
    for (let index = 0; index < value.length; index += 1) {
      const element = copyQuickly(value[index], room - 1);
      if (element === undefined) return undefined;
      copy.push(element);
    }
    return copy;
  }
  if (!isSimple(value)) return undefined;
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const element = copyQuickly((value as Record<string, unknown>)[key], room - 1);
    if (element === undefined || key === "__proto__") return undefined;
    copy[key] = element;
  }
  return copy;
}

function copyScalar(value: unknown): Json | undefined {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value === 0 ? 0 : value;
  return undefined;
}

/** Whether a value is plainly JSON and nests at most `room` levels. */
function isSound(value: unknown, room: number): boolean {
  if (typeof value !== "object" || value === null) return copyScalar(value) !== undefined;
  if (room <= 0) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) if (!isSound(value[index], room - 1)) return false;
    return true;
  }
  if (!isSimple(value)) return false;
  for (const key of Object.keys(value)) {
    if (!isSound((value as Record<string, unknown>)[key], room - 1)) return false;
  }
  return true;
}

function isSimple(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype && Object.getOwnPropertySymbols(value).length === 0;
}

interface Walk {
  /** Path of the container that is being read; grows and shrinks with the walk. */
  readonly trail: Segment[];
  readonly above: number;
}

type Container = unknown[] | Record<string, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function checkScalar(value: unknown, at: Path): Json {
  const scalar = copyScalar(value);
  if (scalar !== undefined) return scalar;
  throw new DeltaError(
    "not_json",
    `${nameKind(value)} is not JSON; write a string, number, boolean, null, array or plain object`,
    {
      path: [...at],
    },
  );
}

function copyContainer(source: Container, walk: Walk): Json {
  enter(source, walk);
  return Array.isArray(source) ? copyArray(source, walk) : copyObject(source, walk);
}

function copyArray(source: readonly unknown[], walk: Walk): Json[] {
  const copy: Json[] = [];
  for (let index = 0; index < source.length; index += 1) {
    const element = source[index];
    if (element === undefined) refuseHole(source, index, walk);
    copy.push(copyAt(element, index, walk));
  }
  return copy;
}

function copyObject(source: Record<string, unknown>, walk: Walk): { [key: string]: Json } {
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(source)) {
    const element = source[key];
    if (element === undefined) continue;
    const copied = copyAt(element, key, walk);
    if (key === "__proto__") defineKey(copy, key, copied);
    else copy[key] = copied;
  }
  return copy;
}

/** A copy of what stands at `key` of the container that is being read. */
function copyAt(value: unknown, key: Segment, walk: Walk): Json {
  walk.trail.push(key);
  const copy = isContainer(value) ? copyContainer(value, walk) : checkScalar(value, walk.trail);
  walk.trail.pop();
  return copy;
}

function enter(source: Container, walk: Walk): void {
  if (walk.trail.length + walk.above >= MAX_DEPTH) throw tooDeep(source, walk);
  if (Array.isArray(source)) return;
  if (!isPlain(source)) {
    throw new DeltaError("not_json", `${nameKind(source)} is not JSON; write its data as a plain object`, {
      path: [...walk.trail],
    });
  }
  if (Object.getOwnPropertySymbols(source).length > 0) {
    throw new DeltaError("not_json", "a symbol is no JSON key; use a string", { path: [...walk.trail] });
  }
}

/** Objects of other realms are plain too, so what counts is that nothing stands behind the prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "hasOwnProperty");
}

function refuseHole(source: object, index: Segment, walk: Walk): void {
  if (!Object.hasOwn(source, index)) {
    throw new DeltaError("hole", "an array with holes is not JSON; fill every index", { path: [...walk.trail] });
  }
}

/** A cycle shows as endless depth; only then is it worth looking whether `source` holds itself. */
function tooDeep(source: Container, walk: Walk): DeltaError {
  const path = walk.trail.slice(0, 8);
  if (holdsItself(source)) return new DeltaError("cycle", "the value holds itself; write a tree", { path });
  return new DeltaError("too_deep", `the value nests more than ${MAX_DEPTH} levels; flatten it`, { path });
}

function holdsItself(source: Container): boolean {
  const ancestors = new Set<object>();
  const visit = (value: unknown): boolean => {
    if (!isContainer(value) || ancestors.size > MAX_DEPTH) return false;
    if (ancestors.has(value)) return true;
    ancestors.add(value);
    const found = Object.values(value).some(visit);
    ancestors.delete(value);
    return found;
  };
  return visit(source);
}

function nameKind(value: unknown): string {
  if (typeof value !== "object" || value === null)
    return typeof value === "number" ? String(value) : `a value of type ${typeof value}`;
  const maker: unknown = (value as { constructor?: unknown }).constructor;
  return typeof maker === "function" && maker.name !== ""
    ? `an instance of ${maker.name}`
    : "an object with a prototype of its own";
}
