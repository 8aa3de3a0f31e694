import { arrayMutators } from "./array-mutators.js";
import { ArrayRuns, NEW } from "./array-runs.js";
import { coversAll, joinNeighbours } from "./array-sets.js";
import { refuse } from "./error.js";
import type { Json, Op, Segment } from "./op.js";
import { isCount } from "./path.js";
import { StatedText } from "./stated-text.js";
import type { Undo } from "./place.js";
import { beforeOf, copySlot } from "./raw-state.js";
import type { Before, RawArray, Slot } from "./raw-state.js";
import { emitSlot, slotChanged } from "./slot-ops.js";
import { spliceItems } from "./splice.js";
import { nothing, TrackedNode } from "./tracked-node.js";
import type { Part } from "./tracked-node.js";

/** A tracked array. Remembers how elements moved since the last flush, and what overwritten ones were, by their old index. */
export class TrackedArray extends TrackedNode<RawArray> implements ProxyHandler<RawArray> {
  #runs: ArrayRuns | undefined;
  #befores: Map<number, Before> | undefined;

  get length(): number {
    return this.raw.length;
  }

  get(target: RawArray, key: string | symbol): unknown {
    if (typeof key === "symbol") return this.symbolGet(target, key);
    const slot: unknown = (target as unknown as Record<string, unknown>)[key];
    if (typeof slot === "function") return arrayMutators[key] ?? slot;
    if (typeof slot !== "object" || slot === null) return slot;
    return this.viewRecent(slot as Slot) ?? (Object.hasOwn(target, key) ? this.view(slot as Slot, Number(key)) : slot);
  }

  set(_target: RawArray, key: string | symbol, value: unknown): boolean {
    if (typeof key === "symbol") this.refuseSymbol();
    if (key === "length") this.setLength(value);
    else this.write(this.indexOf(key), value);
    return true;
  }

  deleteProperty(target: RawArray, key: string | symbol): boolean {
    if (!Object.hasOwn(target, key)) return true;
    return refuse("hole", "splice", [...this.path, String(key)]);
  }

  defineProperty(target: RawArray, key: string | symbol, descriptor: PropertyDescriptor): boolean {
    return this.set(target, key, this.plainValue(descriptor, String(key)));
  }

  getOwnPropertyDescriptor(target: RawArray, key: string | symbol): PropertyDescriptor | undefined {
    const descriptor = Reflect.getOwnPropertyDescriptor(target, key);
    if (descriptor !== undefined) descriptor.value = this.view(descriptor.value as Slot, Number(key));
    return descriptor;
  }

  /** What a program sees at an index. */
  viewAt(index: number): unknown {
    return this.view(this.raw[index] ?? null, index);
  }

  /** What a program gets of an element that was removed. */
  viewRemoved(slot: Slot): unknown {
    if (slot instanceof StatedText || typeof slot !== "object" || slot === null) return copySlot(slot);
    return this.tree.nodeOf(slot, undefined, 0).proxy;
  }

  write(index: number, value: unknown): void {
    if (index > this.length) {
      refuse("hole", `at most ${this.length}`, [...this.path, index]);
    }
    const slot = this.raw[index];
    if (slot !== undefined && (slot === value || this.isSame(slot, value))) return;
    const copy = this.copyIn(value, index);
    if (slot === undefined) this.replace(index, 0, [copy]);
    else this.#overwrite(index, slot, copy);
  }

  setLength(length: unknown): void {
    if (!isCount(length)) {
      refuse("bad_count", "an integer from 0", this.path);
    }
    if (length > this.length) {
      refuse("hole", `at most ${this.length}`, this.path);
    }
    this.replace(length, this.length - length, []);
  }

  /** Copies values in and puts them in place of `remove` elements at `index`. */
  insert(index: number, remove: number, values: readonly unknown[]): Slot[] {
    return this.replace(index, remove, this.copyInItems(values, index));
  }

  /** Puts slots that are the array's own in place of `remove` elements at `index`, and gives those. */
  replace(index: number, remove: number, slots: readonly Slot[]): Slot[] {
    if (remove === 0 && slots.length === 0) return [];
    this.#runs ??= new ArrayRuns(this.length);
    this.#runs.splice(index, remove, slots.length);
    this.noteChange();
    if (index === this.length) {
      for (const slot of slots) this.raw.push(slot);
      return [];
    }
    const removed = spliceItems(this.raw, index, remove, slots);
    for (const slot of removed) this.detach(slot);
    return removed;
  }

  /** Puts the array's own elements into another order. */
  rearrange(slots: readonly Slot[]): void {
    let [start, end] = [0, slots.length];
    while (start < end && slots[start] === this.raw[start]) start += 1;
    while (end > start && slots[end - 1] === this.raw[end - 1]) end -= 1;
    this.#runs ??= new ArrayRuns(this.length);
    this.#runs.splice(start, end - start, end - start);
    for (const [offset, slot] of slots.slice(start, end).entries()) this.raw[start + offset] = slot;
    this.noteChange();
  }

  put(key: Segment, value: Json = null): Undo {
    const index = Number(key);
    const slot = this.raw[index] ?? null;
    if (slot === value) return nothing;
    const old = this.#overwrite(index, slot, this.copyIn(value, index));
    return () => {
      this.detach(this.raw[index]);
      this.raw[index] = slot;
      this.attach(slot);
      this.#befores?.delete(old);
    };
  }

  splice(index: number, remove: number, items: readonly Json[]): Undo {
    const runs = this.#runs?.copy();
    const removed = this.insert(index, remove, items);
    return () => {
      for (const slot of spliceItems(this.raw, index, items.length, removed)) this.detach(slot);
      for (const slot of removed) this.attach(slot);
      this.#runs = runs;
    };
  }

  /** Looks outwards from the last known index: elements rarely moved far. */
  locate(part: Part): number | undefined {
    const slot = part instanceof StatedText ? part : part.raw;
    const hint = Number(part.key);
    for (let step = 0; step <= Math.max(hint, this.length - hint); step += 1) {
      if (this.raw[hint - step] === slot) return hint - step;
      if (this.raw[hint + step] === slot) return hint + step;
    }
    return undefined;
  }

  emit(trail: Segment[], ops: Op[]): void {
    const overwrites = this.#overwriteOps(trail);
    if (this.#runs?.replaced === true || coversAll(overwrites, this.length)) {
      ops.push(trail.length === 0 ? ["r", this.copy()] : ["s", trail.slice(), this.copy()]);
      return;
    }
    for (const { index, remove, insert } of this.#runs?.edits() ?? []) {
      ops.push(["p", trail.slice(), index, remove, this.raw.slice(index, index + insert).map(copySlot)]);
    }
    for (const op of overwrites) ops.push(op);
    for (const part of this.parts) if (this.#isOld(part)) this.emitPart(trail, part, ops);
  }

  get changed(): boolean {
    if (this.#runs?.unmoved === false) return true;
    for (const [index, before] of this.#overwritten()) if (slotChanged(before, this.raw[index] ?? null)) return true;
    return this.partsChanged((part) => this.#isOld(part));
  }

  protected get remembers(): boolean {
    return this.#runs !== undefined || this.#befores !== undefined;
  }

  protected forget(): void {
    this.#runs = undefined;
    this.#befores = undefined;
  }

  protected slotAt(key: Segment): Slot | undefined {
    return this.raw[Number(key)];
  }

  protected setSlot(key: Segment, slot: Slot): void {
    this.raw[Number(key)] = slot;
  }

  private indexOf(key: string): number {
    const index = Number(key);
    if (isCount(index) && String(index) === key) return index;
    return refuse("not_json", "an index", [...this.path, key]);
  }

  #overwriteOps(trail: Segment[]): Op[] {
    if (this.#befores === undefined) return [];
    const told: Op[] = [];
    for (const [index, before] of this.#overwritten())
      emitSlot([...trail, index], before, this.raw[index] ?? null, told);
    return joinNeighbours(trail.slice(), told);
  }

  /** Overwritten elements that are still there, by their present index. */
  #overwritten(): [index: number, before: Before][] {
    if (this.#befores === undefined) return [];
    const moved = [...this.#befores].map(([old, before]): [number, Before] => [
      this.#runs?.newIndex(old) ?? old,
      before,
    ]);
    return moved.filter(([index]) => index !== NEW).sort(([a], [b]) => a - b);
  }

  /** Whether a part stood here at the last flush, so that what changed in it can be told. Brings its key up to date. */
  #isOld(part: Part): boolean {
    const index = this.locate(part);
    if (index === undefined) return false;
    part.key = index;
    const old = this.#runs === undefined ? index : this.#runs.oldIndex(index);
    return old !== NEW && this.#befores?.has(old) !== true;
  }

  /** Gives where the element stood at the last flush, if this is its first change since, else {@link NEW}. */
  #overwrite(index: number, slot: Slot, value: Json): number {
    const old = this.#remember(this.#runs === undefined ? index : this.#runs.oldIndex(index), slot);
    this.detach(slot);
    this.raw[index] = value;
    this.noteChange();
    return old;
  }

  #remember(old: number, slot: Slot): number {
    if (old === NEW || this.#befores?.has(old) === true) return NEW;
    this.#befores ??= new Map();
    this.#befores.set(old, beforeOf(slot));
    return old;
  }
}
