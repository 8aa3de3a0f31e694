import { defineKey } from "./json.js";
import type { Json } from "./op.js";
import { PiecedText } from "./pieced-text.js";

/** What stands at a key of the raw state: JSON, except that a string with stated edits stays in pieces. */
export type Slot = null | boolean | number | string | PiecedText | RawContainer;
export type RawArray = Slot[];
export type RawObject = { [key: string]: Slot };
export type RawContainer = RawArray | RawObject;

/** What stood at a key at the last flush. Containers are not remembered: what replaces one is sent whole. */
export type Before = null | boolean | number | string | PiecedText | typeof CONTAINER | typeof ABSENT;
export const CONTAINER: unique symbol = Symbol("container");
export const ABSENT: unique symbol = Symbol("absent");

export function isRawContainer(slot: unknown): slot is RawContainer {
  return typeof slot === "object" && slot !== null && !(slot instanceof PiecedText);
}

/** What to remember of a slot that is about to change. */
export function beforeOf(slot: Slot): Before {
  return isRawContainer(slot) ? CONTAINER : slot;
}

/** A JSON copy of what stands in the raw state, free of live parts. */
export function copySlot(slot: Slot): Json {
  if (typeof slot !== "object" || slot === null) return slot;
  if (slot instanceof PiecedText) return slot.toString();
  if (Array.isArray(slot)) return slot.map(copySlot);
  const copy: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(slot)) {
    if (key === "__proto__") defineKey(copy, key, copySlot(value));
    else copy[key] = copySlot(value);
  }
  return copy;
}
