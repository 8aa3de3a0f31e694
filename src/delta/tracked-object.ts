import { defineKey } from "./json.js";
import type { Json, Op, Segment } from "./op.js";
import { isRefusedSegment } from "./path.js";
import { StatedText } from "./stated-text.js";
import type { Undo } from "./place.js";
import { ABSENT, beforeOf } from "./raw-state.js";
import type { Before, RawObject, Slot } from "./raw-state.js";
import { emitSlot, slotChanged } from "./slot-ops.js";
import { nothing, TrackedNode } from "./tracked-node.js";
import type { Part } from "./tracked-node.js";

/** A tracked object. Remembers what each changed key held at the last flush, once, however often it is written. */
export class TrackedObject extends TrackedNode<RawObject> implements ProxyHandler<RawObject> {
  readonly length = undefined;
  #befores: Map<string, Before> | undefined;

  get(target: RawObject, key: string | symbol): unknown {
    if (typeof key === "symbol") return this.symbolGet(target, key);
    const slot = target[key];
    if (typeof slot !== "object" || slot === null) return slot;
    return this.viewRecent(slot) ?? (Object.hasOwn(target, key) ? this.view(slot, key) : slot);
  }

  set(_target: RawObject, key: string | symbol, value: unknown): boolean {
    if (typeof key === "symbol") this.refuseSymbol();
    const slot = this.slotAt(key);
    if (slot !== value && !this.isSame(slot, value)) {
      this.#write(key, slot, value === undefined ? undefined : this.copyIn(value, key));
    }
    return true;
  }

  deleteProperty(_target: RawObject, key: string | symbol): boolean {
    if (typeof key === "string") this.put(key);
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

  put(key: Segment, value?: Json): Undo {
    const name = String(key);
    const slot = this.slotAt(name);
    if (slot === value) return nothing;
    const isFirst = this.#write(name, slot, value === undefined ? value : this.copyIn(value, key));
    return () => {
      this.detach(this.slotAt(name));
      if (slot === undefined) delete this.raw[name];
      else this.setSlot(name, slot);
      this.attach(slot);
      if (isFirst) this.#befores?.delete(name);
    };
  }

  splice(): Undo {
    return nothing;
  }

  locate(part: Part): Segment | undefined {
    const slot = this.raw[part.key];
    return slot === (part instanceof StatedText ? part : part.raw) ? part.key : undefined;
  }

  emit(trail: Segment[], ops: Op[]): void {
    if (this.#refusesPaths() && this.changed) {
      ops.push(trail.length === 0 ? ["r", this.copy()] : ["s", trail.slice(), this.copy()]);
      return;
    }
    for (const [key, before] of this.#befores ?? NO_BEFORES) {
      const slot = this.slotAt(key);
      if (slot !== undefined) emitSlot([...trail, key], before, slot, ops);
      else if (before !== ABSENT) ops.push(["d", [...trail, key]]);
    }
    for (const part of this.parts) if (this.#isOld(part)) this.emitPart(trail, part, ops);
  }

  get changed(): boolean {
    for (const [key, before] of this.#befores ?? NO_BEFORES) {
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
    for (const key of (this.#befores ?? NO_BEFORES).keys()) if (isRefusedSegment(key)) return true;
    for (const part of this.parts) if (isRefusedSegment(part.key)) return true;
    return false;
  }

  /** Whether a part stood at its key at the last flush, so that what changed in it can be told. */
  #isOld(part: Part): boolean {
    return this.#befores?.has(String(part.key)) !== true;
  }

  /** Gives whether this is the key's first change since the last flush. */
  #write(key: string, slot: Slot | undefined, value: Json | undefined): boolean {
    this.#befores ??= new Map();
    const isFirst = !this.#befores.has(key);
    if (isFirst) this.#befores.set(key, slot === undefined ? ABSENT : beforeOf(slot));
    this.detach(slot);
    if (value === undefined) delete this.raw[key];
    else if (slot === undefined) defineKey(this.raw, key, value);
    else this.raw[key] = value;
    this.noteChange();
    return isFirst;
  }
}

const NO_BEFORES: ReadonlyMap<string, Before> = new Map();
