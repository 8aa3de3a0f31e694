import { refuse } from "./error.js";
import type { Json, Path, Segment } from "./op.js";

/** Takes one edit back. Undoing in reverse order restores exactly what was there. */
export type Undo = () => void;

/** Text whose units can be counted and read, without all of it being joined. */
export interface Text {
  readonly length: number;
  charCodeAt(position: number): number;
  toString(): string;
}

/**
 * A container as an edit sees it, plain or tracked. The caller has checked that keys exist and counts fit, and hands in
 * values that it does not touch again; a tracked place copies them once more, as it knows what lies above.
 */
export interface Place {
  /** Elements of an array; undefined for an object. */
  readonly length: number | undefined;
  /** What a key holds; undefined when there is none. */
  find(key: Segment): Found;
  /** Puts a value at a key; deletes the key where there is none. */
  put(key: Segment, value?: Json): Undo;
  /** The string at a key loses `drop` code units at its front and grows by `text`. */
  slide(key: Segment, drop: number, text: string): Undo;
  splice(index: number, remove: number, items: readonly Json[]): Undo;
}

/** What stands at a key: a container, a string, or another scalar. */
export type Found = Place | Text | number | boolean | null | undefined;

/** Where a tracked value answers with its place. A symbol of this module alone, so no data can pretend. */
export const PLACE: unique symbol = Symbol("place");

/** The place of a tracked value, or undefined when `value` is plain. */
export function trackedPlace(value: object): Place | undefined {
  return (value as { [PLACE]?: Place })[PLACE];
}

/** Puts a value where there is one already. */
export function overwrite<Key extends Segment, Value>(target: Record<Key, Value>, key: Key, value: Value): Undo {
  const old = target[key];
  target[key] = value;
  return () => {
    target[key] = old;
  };
}

/** The string at a key. `path` is its place, for the error. */
export function textAt(place: Place, key: Segment, path: Path): Text {
  const found = place.find(key) as Text | null | undefined;
  return found?.charCodeAt === undefined ? refuseFound(found, "a string", path) : found;
}

/** Refuses what was found at a path. */
export function refuseFound(found: Found, needed: string, path: Path): never {
  refuse(found === undefined ? "missing_target" : "wrong_target", needed, path);
}
