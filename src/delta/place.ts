import type { Json, Segment } from "./op.js";

/** Takes one edit back. Undoing in reverse order restores exactly what was there. */
export type Undo = () => void;

/**
 * A container as an edit sees it, plain or tracked. The caller has checked that keys exist and counts fit; values handed
 * in are owned by the place from then on.
 */
export interface Place {
  /** Elements of an array; undefined for an object. */
  readonly length: number | undefined;
  /** Levels of a tracked value that lie above this place; 0 for a plain one, whose surroundings nobody knows. */
  readonly levels: number;
  holds(key: Segment): boolean;
  /** The container at a key, or undefined when something else is there. A place that was left this way is not used any more. */
  enter(key: Segment): Place | undefined;
  /** Code units of the string at a key, or undefined when something else is there. */
  textLength(key: Segment): number | undefined;
  /** The code unit at `position` of the string at a key. */
  textUnit(key: Segment, position: number): number;
  put(key: Segment, value: Json): Undo;
  remove(key: string): Undo;
  append(key: Segment, text: string): Undo;
  drop(key: Segment, count: number): Undo;
  splice(index: number, remove: number, items: readonly Json[]): Undo;
}

/** Where a tracked value answers with its place. A symbol of this module alone, so no data can pretend. */
export const PLACE: unique symbol = Symbol("place");

/** The place of a tracked value, or undefined when `value` is plain. */
export function trackedPlace(value: object): Place | undefined {
  return (value as { [PLACE]?: Place })[PLACE];
}
