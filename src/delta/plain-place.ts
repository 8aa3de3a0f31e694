import { DeltaError } from "./error.js";
import { defineKey } from "./json.js";
import type { Json, Segment } from "./op.js";
import { trackedPlace } from "./place.js";
import type { Place, Undo } from "./place.js";
import { cutText, growText, unitOf } from "./slid-text.js";
import { spliceItems } from "./splice.js";

/** The place of a container that the caller owns: tracked if it is, else plain. */
export function placeOf(value: unknown): Place | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return trackedPlace(value) ?? new PlainPlace(value);
}

/** Edits a plain value where it lies. Only own properties count, and new keys are defined, so no prototype takes part. */
class PlainPlace implements Place {
  readonly levels = 0;
  #slots: Record<Segment, Json>;

  constructor(container: object) {
    this.#slots = container as Record<Segment, Json>;
  }

  get length(): number | undefined {
    return Array.isArray(this.#slots) ? this.#slots.length : undefined;
  }

  holds(key: Segment): boolean {
    return Object.hasOwn(this.#slots, key);
  }

  /** This same place, moved there: who walks a path needs none of those on the way. */
  enter(key: Segment): Place | undefined {
    const slot: unknown = this.#slots[key];
    if (typeof slot !== "object" || slot === null) return undefined;
    const tracked = trackedPlace(slot);
    if (tracked !== undefined) return tracked;
    this.#slots = slot as Record<Segment, Json>;
    return this;
  }

  textLength(key: Segment): number | undefined {
    const slot = this.#slots[key];
    return typeof slot === "string" ? slot.length : undefined;
  }

  textUnit(key: Segment, position: number): number {
    return unitOf(this.#slots, key, this.#text(key), position);
  }

  put(key: Segment, value: Json): Undo {
    const slots = this.#slots;
    if (!Object.hasOwn(slots, key)) {
      defineKey(slots, key, value);
      return () => {
        if (Array.isArray(slots)) slots.pop();
        else delete slots[key];
      };
    }
    return this.#overwrite(key, value);
  }

  remove(key: string): Undo {
    const slots = this.#slots;
    const old = slots[key];
    delete slots[key];
    return () => defineKey(slots, key, old);
  }

  append(key: Segment, text: string): Undo {
    return this.#overwrite(key, growText(this.#slots, key, this.#text(key), text));
  }

  drop(key: Segment, count: number): Undo {
    return this.#overwrite(key, cutText(this.#slots, key, this.#text(key), count));
  }

  splice(index: number, remove: number, items: readonly Json[]): Undo {
    const target = Array.isArray(this.#slots) ? (this.#slots as Json[]) : [];
    const removed = spliceItems(target, index, remove, items);
    return () => {
      spliceItems(target, index, items.length, removed);
    };
  }

  #overwrite(key: Segment, value: Json): Undo {
    const slots = this.#slots;
    const old = slots[key];
    slots[key] = value;
    return () => {
      if (old !== undefined) slots[key] = old;
    };
  }

  #text(key: Segment): string {
    const slot = this.#slots[key];
    if (typeof slot === "string") return slot;
    throw new DeltaError("wrong_target", "only a string can be appended to or cut", { path: [key] });
  }
}
