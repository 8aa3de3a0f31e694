import { trackedPlace } from "./place.js";
import { copySlot } from "./raw-state.js";
import type { RawArray, Slot } from "./raw-state.js";

/** What the mutating methods need of a tracked array. */
export interface ArrayEditor {
  readonly raw: RawArray;
  readonly length: number;
  readonly proxy: RawArray;
  viewAt(index: number): unknown;
  viewRemoved(slot: Slot): unknown;
  insert(index: number, remove: number, values: readonly unknown[]): Slot[];
  replace(index: number, remove: number, slots: readonly Slot[]): Slot[];
  rearrange(slots: readonly Slot[]): void;
}

type Method = (this: unknown, ...args: never[]) => unknown;

/** The mutating methods of a tracked array. Each is one edit; run as written for plain arrays they would be many. */
export const arrayMutators: Readonly<Record<string, Method>> = Object.freeze(
  Object.assign(Object.create(null) as Record<string, Method>, {
    push(this: unknown, ...values: unknown[]): number {
      const array = editorOf(this);
      array.insert(array.length, 0, values);
      return array.length;
    },
    unshift(this: unknown, ...values: unknown[]): number {
      const array = editorOf(this);
      array.insert(0, 0, values);
      return array.length;
    },
    pop(this: unknown): unknown {
      const array = editorOf(this);
      return array.length === 0 ? undefined : removeAt(array, array.length - 1);
    },
    shift(this: unknown): unknown {
      const array = editorOf(this);
      return array.length === 0 ? undefined : removeAt(array, 0);
    },
    splice(this: unknown, ...args: [start?: unknown, remove?: unknown, ...values: unknown[]]): unknown[] {
      const array = editorOf(this);
      const [start, remove, ...values] = args;
      const index = clampIndex(start, array.length);
      const rest = array.length - index;
      const count = args.length === 1 ? rest : Math.min(Math.max(toInteger(remove), 0), rest);
      return array.insert(index, count, values).map((slot) => array.viewRemoved(slot));
    },
    sort(this: unknown, compare?: (a: unknown, b: unknown) => number): unknown {
      const array = editorOf(this);
      const seen = array.raw.map((slot, index) => ({ slot, value: array.viewAt(index) }));
      seen.sort(
        compare === undefined
          ? (a, b) => compareText(String(a.value), String(b.value))
          : (a, b) => compare(a.value, b.value),
      );
      array.rearrange(seen.map(({ slot }) => slot));
      return array.proxy;
    },
    reverse(this: unknown): unknown {
      const array = editorOf(this);
      array.rearrange([...array.raw].reverse());
      return array.proxy;
    },
    copyWithin(this: unknown, target: unknown, start: unknown, end?: unknown): unknown {
      const array = editorOf(this);
      const to = clampIndex(target, array.length);
      const from = clampIndex(start, array.length);
      const until = end === undefined ? array.length : clampIndex(end, array.length);
      const count = to === from ? 0 : Math.max(0, Math.min(until - from, array.length - to));
      array.replace(to, count, array.raw.slice(from, from + count).map(copySlot));
      return array.proxy;
    },
    fill(this: unknown, value: unknown, start?: unknown, end?: unknown): unknown {
      const array = editorOf(this);
      const from = clampIndex(start, array.length);
      const until = end === undefined ? array.length : clampIndex(end, array.length);
      const count = Math.max(0, until - from);
      array.insert(
        from,
        count,
        Array.from({ length: count }, () => value),
      );
      return array.proxy;
    },
  }),
);

function editorOf(array: unknown): ArrayEditor {
  const place = trackedPlace(Object(array) as object);
  if (place?.length === undefined) throw new TypeError("not a tracked array");
  return place as unknown as ArrayEditor;
}

function removeAt(array: ArrayEditor, index: number): unknown {
  const [slot = null] = array.replace(index, 1, []);
  return array.viewRemoved(slot);
}

/** A relative index as the array methods of the language read it. */
function clampIndex(index: unknown, length: number): number {
  const integer = toInteger(index);
  return integer < 0 ? Math.max(length + integer, 0) : Math.min(integer, length);
}

function toInteger(value: unknown): number {
  const integer = Math.trunc(Number(value));
  return Number.isNaN(integer) ? 0 : integer;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
