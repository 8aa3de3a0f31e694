import { defineKey } from "./json.js";
import type { Json, Segment } from "./op.js";
import { trackedPlace } from "./place.js";
import type { Found, Place, Undo } from "./place.js";
import { joinPieces, slidePieces, startText } from "./sliding-text.js";
import type { SlidingText } from "./sliding-text.js";
import { spliceItems } from "./splice.js";

/** The place of a container that the caller owns: tracked if it is, else plain. */
export function placeOf(value: unknown): Place | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return trackedPlace(value) ?? new PlainPlace(value);
}

/**
 * Texts that were slid, by the container and key where they stand, so that the next slide need not join them. It only
 * remembers how a string was made: what is not that very string any more is not used.
 */
const slidTexts = new WeakMap<object, Map<Segment, SlidingText>>();

/** Edits a plain value where it lies. Only own properties count, and new keys are defined, so no prototype takes part. */
class PlainPlace implements Place {
  readonly #slots: Slots;

  constructor(container: object) {
    this.#slots = container as Slots;
  }

  get length(): number | undefined {
    return Array.isArray(this.#slots) ? this.#slots.length : undefined;
  }

  find(key: Segment): Found {
    const slot = ownSlot(this.#slots, key);
    return placeOf(slot) ?? (slot as Exclude<typeof slot, object>);
  }

  put(key: Segment, value?: Json): Undo {
    const slots = this.#slots;
    const old = ownSlot(slots, key);
    setSlot(slots, key, value);
    return () => setSlot(slots, key, old);
  }

  slide(key: Segment, drop: number, text: string): Undo {
    const slots = this.#slots;
    const old = slots[key] as string;
    const texts = slidTexts.get(slots) ?? new Map<Segment, SlidingText>();
    let pieces = texts.get(key);
    if (pieces === undefined || joinPieces(pieces) !== old) {
      if (drop === 0) return this.put(key, old + text);
      pieces = startText(old);
    }
    pieces = slidePieces(pieces, drop, text);
    slidTexts.set(slots, texts.set(key, pieces));
    return this.put(key, joinPieces(pieces));
  }

  splice(index: number, remove: number, items: readonly Json[]): Undo {
    const target = this.#slots as unknown as Json[];
    const removed = spliceItems(target, index, remove, items);
    return () => {
      spliceItems(target, index, items.length, removed);
    };
  }
}

type Slots = Record<Segment, Json>;

function ownSlot(slots: Slots, key: Segment): Json | undefined {
  return Object.hasOwn(slots, key) ? slots[key] : undefined;
}

function setSlot(slots: Slots, key: Segment, value: Json | undefined): void {
  if (value === undefined) delete slots[key];
  else if (Object.hasOwn(slots, key)) slots[key] = value;
  else defineKey(slots, key, value);
}
