import { defineKey } from "./json.js";
import type { Json, Op, Path, Segment } from "./op.js";
import { isRefusedSegment } from "./path.js";
import { PiecedText } from "./pieced-text.js";
import type { Undo } from "./place.js";
import { ABSENT, beforeOf } from "./raw-state.js";
import type { Before, RawObject, Slot } from "./raw-state.js";
import { emitSlot, slotChanged } from "./slot-ops.js";
import { isPlainScalar, nothing, TrackedNode } from "./tracked-node.js";
import type { Part } from "./tracked-node.js";

/** A tracked object. Remembers what each changed key held at the last flush, once, however often it is written. */
export class TrackedObject extends TrackedNode<RawObject> implements ProxyHandler<RawObject> {
  readonly length = undefined;
  #befores: Map<string, Before> | undefined;

  get(target: RawObject, key: string | symbol): unknown {
    if (typeof key === "symbol") return this.symbolGet(target, key);
    const slot = target[key];
    if (typeof slot !== "object" || slot === null) return slot;
    return Object.hasOwn(target, key) ? this.view(slot, key) : slot;
  }

  set(_target: RawObject, key: string | symbol, value: unknown): boolean {
    if (typeof key === "symbol") this.refuseSymbol();
    const slot = this.slotAt(key);
    if (isPlainScalar(value) && slot !== undefined && (typeof slot !== "object" || slot === null)) {
      this.#overwrite(key, slot, value);
    } else if (value === undefined) {
      if (slot !== undefined) this.remove(key);
    } else if (!this.isSame(slot, value)) {
      this.put(key, this.copyIn(value, key));
    }
    return true;
  }

  deleteProperty(target: RawObject, key: string | symbol): boolean {
    if (typeof key === "string" && Object.hasOwn(target, key)) this.remove(key);
    return true;
  }

  defineProperty(target: RawObject, key: string | symbol, descriptor: PropertyDescriptor): boolean {
    return this.set(target, key, this.plainValue(descriptor, String(key)));
  }

  getOwnPropertyDescriptor(target: RawObject, key: string | symbol): PropertyDescriptor | undefined {
    const descriptor = Reflect.getOwnPropertyDescriptor(target, key);
    if (descriptor !== undefined && typeof key === "string")
      descriptor.value = this.view(descriptor.value as Slot, key);
    return descriptor;
  }

  /** A scalar by a scalar: the most frequent write there is. */
  #overwrite(key: string, slot: Slot, value: Slot): void {
    if (slot === value) return;
    this.#remember(key, slot);
    this.raw[key] = value;
    this.noteChange();
  }

  put(key: Segment, value: Json): Undo {
    const name = String(key);
    const slot = this.slotAt(name);
    if (slot === value) return nothing;
    const isFirst = this.#remember(name, slot);
    this.detach(slot);
    this.setSlot(name, value);
    this.noteChange();
    return () => {
      this.detach(this.slotAt(name));
      if (slot === undefined) delete this.raw[name];
      else this.setSlot(name, slot);
      this.attach(slot);
      if (isFirst) this.#befores?.delete(name);
    };
  }

  remove(key: string): Undo {
    const slot = this.slotAt(key);
    if (slot === undefined) return nothing;
    const isFirst = this.#remember(key, slot);
    this.detach(slot);
    delete this.raw[key];
    this.noteChange();
    return () => {
      this.setSlot(key, slot);
      this.attach(slot);
      if (isFirst) this.#befores?.delete(key);
    };
  }

  splice(): Undo {
    return nothing;
  }

  locate(part: Part): Segment | undefined {
    const slot = this.raw[part.key];
    return slot === (part instanceof PiecedText ? part : part.raw) ? part.key : undefined;
  }

  emit(path: Path, ops: Op[]): void {
    if (this.#refusesPaths() && this.changed) {
      ops.push(path.length === 0 ? ["r", this.copy()] : ["s", path, this.copy()]);
      return;
    }
    if (this.#befores !== undefined) this.#emitWrites(path, this.#befores, ops);
    for (const part of this.parts) {
      if (this.#isOld(part)) this.emitPart([...path, part.key], part, ops);
    }
  }

  #emitWrites(path: Path, befores: ReadonlyMap<string, Before>, ops: Op[]): void {
    for (const [key, before] of befores) {
      const slot = this.slotAt(key);
      if (slot !== undefined) emitSlot([...path, key], before, slot, ops);
      else if (before !== ABSENT) ops.push(["d", [...path, key]]);
    }
  }

  get changed(): boolean {
    for (const [key, before] of this.#befores ?? []) {
      const slot = this.slotAt(key);
      if (slot === undefined ? before !== ABSENT : slotChanged(before, slot)) return true;
    }
    return this.partsChanged((part) => this.#isOld(part));
  }

  protected get remembers(): boolean {
    return this.#befores !== undefined;
  }

  protected forget(): void {
    this.#befores = undefined;
  }

  protected slotAt(key: Segment): Slot | undefined {
    return Object.hasOwn(this.raw, key) ? this.raw[key] : undefined;
  }

  protected setSlot(key: Segment, slot: Slot): void {
    if (Object.hasOwn(this.raw, key)) this.raw[key] = slot;
    else defineKey(this.raw, key, slot);
  }

  /** Whether a change lies at a key that no path may name. Then this object is told whole, with the key as data. */
  #refusesPaths(): boolean {
    if (this.#befores !== undefined) for (const key of this.#befores.keys()) if (isRefusedSegment(key)) return true;
    for (const part of this.parts) if (isRefusedSegment(part.key)) return true;
    return false;
  }

  /** Whether a part stood at its key at the last flush, so that what changed in it can be told. */
  #isOld(part: Part): boolean {
    return this.#befores?.has(String(part.key)) !== true;
  }

  /** Whether this is the key's first change since the last flush. */
  #remember(key: string, slot: Slot | undefined): boolean {
    this.#befores ??= new Map();
    if (this.#befores.has(key)) return false;
    this.#befores.set(key, slot === undefined ? ABSENT : beforeOf(slot));
    return true;
  }
}
