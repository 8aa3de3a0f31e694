import { DeltaError } from "./error.js";
import { copyItems, copyJson } from "./json.js";
import { MAX_PATH_SEGMENTS } from "./op.js";
import type { Json, Op, Path, Segment } from "./op.js";
import { PiecedText } from "./pieced-text.js";
import { PLACE } from "./place.js";
import type { Place, Undo } from "./place.js";
import { copySlot, isRawContainer } from "./raw-state.js";
import type { RawContainer, Slot } from "./raw-state.js";
import { emitStated } from "./slot-ops.js";
import { splitsCharacter } from "./surrogate.js";

/** What may hold changes inside a container: a child container, or a string with stated edits. */
export type Part = TrackedNode | PiecedText;

/** The nodes of one tracked value. */
export interface NodeTree {
  /** The node of a raw container, made when first needed. */
  nodeOf(raw: RawContainer, parent: TrackedNode | undefined, key: Segment): TrackedNode;
  /** The node of a raw container if it was needed before. */
  knownNode(raw: RawContainer): TrackedNode | undefined;
}

/**
 * A container of the tracked state: the handler of its proxy, and the record of what changed in it since the last flush.
 * It refers up to its parent and, only where something changed, down to its parts; so a container that is replaced takes
 * all that was recorded in it along.
 */
export abstract class TrackedNode<Raw extends RawContainer = RawContainer> implements Place {
  abstract readonly length: number | undefined;
  readonly raw: Raw;
  readonly proxy: Raw;
  /** The container it stands in; undefined for the root and for what was removed. */
  parent: TrackedNode | undefined;
  /** Where it stands in its parent, as last known. */
  key: Segment;
  protected readonly tree: NodeTree;
  /** Whether the parent lists it among its parts. */
  listed = false;
  #parts: Part[] | undefined;

  constructor(raw: Raw, tree: NodeTree, parent: TrackedNode | undefined, key: Segment) {
    this.raw = raw;
    this.tree = tree;
    this.parent = parent;
    this.key = key;
    this.proxy = new Proxy(raw, this);
  }

  /** Gives the ops that tell what changed in here. */
  abstract emit(path: Path, ops: Op[]): void;
  /** Whether `emit` would give anything. */
  abstract get changed(): boolean;
  abstract put(key: Segment, value: Json): Undo;
  abstract remove(key: string): Undo;
  abstract splice(index: number, remove: number, items: readonly Json[]): Undo;
  /** The key at which a part stands now, or undefined when it does not. */
  abstract locate(part: Part): Segment | undefined;
  protected abstract slotAt(key: Segment): Slot | undefined;
  protected abstract setSlot(key: Segment, slot: Slot): void;
  /** Whether this container itself remembers something of the last flush. */
  protected abstract get remembers(): boolean;
  protected abstract forget(): void;

  get path(): Path {
    return this.parent === undefined ? [] : [...this.parent.path, this.parent.locate(this) ?? this.key];
  }

  get levels(): number {
    return this.parent === undefined ? 0 : this.parent.levels + 1;
  }

  holds(key: Segment): boolean {
    return Object.hasOwn(this.raw, key);
  }

  enter(key: Segment): TrackedNode | undefined {
    const slot = this.slotAt(key);
    return isRawContainer(slot) ? this.tree.nodeOf(slot, this, key) : undefined;
  }

  textLength(key: Segment): number | undefined {
    const slot = this.slotAt(key);
    return typeof slot === "string" || slot instanceof PiecedText ? slot.length : undefined;
  }

  textUnit(key: Segment, position: number): number {
    const slot = this.slotAt(key);
    return slot instanceof PiecedText ? slot.unitAt(position) : this.#text(key).charCodeAt(position);
  }

  append(key: Segment, text: string): Undo {
    return text === "" ? nothing : this.#editText(key, (pieces) => pieces.append(text));
  }

  /** A cut inside a surrogate pair is not stated, as no flush may tell one; it is a plain write of what remains. */
  drop(key: Segment, count: number): Undo {
    if (count === 0) return nothing;
    if (splitsCharacter(this, key, count)) return this.put(key, this.#text(key).slice(count));
    return this.#editText(key, (pieces) => pieces.drop(count));
  }

  /** What was told up to now is the new past. */
  settle(): void {
    const parts = this.#parts;
    this.#parts = undefined;
    if (parts !== undefined) {
      for (const part of parts) {
        part.listed = false;
        part.settle();
      }
    }
    this.forget();
  }

  copy(): Json {
    return copySlot(this.raw);
  }

  /** What a program sees at a key: text as a string, a container as its proxy. */
  protected view(slot: Slot, key: Segment): unknown {
    if (isRawContainer(slot)) return this.tree.nodeOf(slot, this, key).proxy;
    return slot instanceof PiecedText ? slot.toString() : slot;
  }

  /** A copy of a value that a program writes at `key`. */
  protected copyIn(value: unknown, key: Segment): Json {
    return isPlainScalar(value) ? value : copyJson(value, [...this.path, key]);
  }

  /** Copies of values that a program puts into an array from `index` on. */
  protected copyInItems(values: readonly unknown[], index: number): Json[] {
    return values.every(isPlainScalar) ? [...values] : copyItems(values, this.path, index);
  }

  /** Whether `value` is the tracked container that stands at the slot already. */
  protected isSame(slot: Slot | undefined, value: unknown): boolean {
    return isRawContainer(slot) && typeof value === "object" && this.tree.knownNode(slot)?.proxy === value;
  }

  protected get parts(): readonly Part[] {
    return this.#parts ?? NO_PARTS;
  }

  protected partsChanged(isOld: (part: Part) => boolean): boolean {
    for (const part of this.parts) {
      if (isOld(part) && (part instanceof PiecedText ? part.edited : part.changed)) return true;
    }
    return false;
  }

  /** A container too deep for a path of its own is told whole. */
  protected emitPart(path: Path, part: Part, ops: Op[]): void {
    if (part instanceof PiecedText) emitStated(path, part, ops);
    else if (path.length < MAX_PATH_SEGMENTS) part.emit(path, ops);
    else if (part.changed) ops.push(["s", path, part.copy()]);
  }

  /** Makes a change in this container findable from the root. */
  protected noteChange(): void {
    this.parent?.addPart(this);
  }

  protected addPart(part: Part): void {
    if (part.listed) return;
    part.listed = true;
    if (this.#parts === undefined) this.#parts = [part];
    else this.#parts.push(part);
    this.noteChange();
  }

  #removePart(part: Part): void {
    if (!part.listed) return;
    part.listed = false;
    this.#parts = this.#parts?.filter((other) => other !== part);
    if (this.#parts?.length === 0) this.#parts = undefined;
  }

  /** What stood here is no part of the state any more. */
  protected detach(slot: Slot | undefined): void {
    if (slot instanceof PiecedText) {
      this.#removePart(slot);
    } else if (isRawContainer(slot)) {
      const node = this.tree.knownNode(slot);
      if (node === undefined) return;
      node.parent = undefined;
      this.#removePart(node);
    }
  }

  /** Takes {@link detach} back. */
  protected attach(slot: Slot | undefined): void {
    if (slot instanceof PiecedText) {
      if (slot.edited) this.addPart(slot);
    } else if (isRawContainer(slot)) {
      const node = this.tree.knownNode(slot);
      if (node === undefined) return;
      node.parent = this;
      if (node.#parts !== undefined || node.remembers) this.addPart(node);
    }
  }

  /** The string stays in pieces, also when the edit is undone: whoever reads it sees no difference. */
  #editText(key: Segment, edit: (pieces: PiecedText) => Undo): Undo {
    const slot = this.slotAt(key);
    const pieces = slot instanceof PiecedText ? slot : new PiecedText(this.#text(key), key);
    if (pieces !== slot) this.setSlot(key, pieces);
    const undo = edit(pieces);
    this.addPart(pieces);
    return undo;
  }

  #text(key: Segment): string {
    const slot = this.slotAt(key);
    return typeof slot === "string" || slot instanceof PiecedText ? slot.toString() : "";
  }

  preventExtensions(): boolean {
    throw new DeltaError("unwritable", "tracked state cannot be frozen or sealed; freeze a snapshot() of it", {
      path: this.path,
    });
  }

  setPrototypeOf(): boolean {
    throw new DeltaError("not_json", "tracked state has no prototype of its own; write plain data", {
      path: this.path,
    });
  }

  /** The one data property that this trap's callers may define: plain, as an assignment makes it. */
  protected plainValue(descriptor: PropertyDescriptor, key: Segment): unknown {
    const { writable, enumerable, configurable } = descriptor;
    const isPlain = writable !== false && enumerable !== false && configurable !== false;
    if (isPlain && !("get" in descriptor) && !("set" in descriptor)) return descriptor.value;
    throw new DeltaError("not_json", "a property of tracked state is plain data; assign its value", {
      path: [...this.path, key],
    });
  }

  protected symbolGet(target: Raw, key: symbol): unknown {
    return key === PLACE ? this : Reflect.get(target, key);
  }

  protected refuseSymbol(): never {
    throw new DeltaError("not_json", "a symbol is no JSON key; use a string", { path: this.path });
  }
}

const NO_PARTS: readonly Part[] = [];

/** The undo of an edit that changed nothing. */
export const nothing: Undo = () => undefined;

/** Scalars that need no check, so that the path is not worked out for the most frequent writes. */
export function isPlainScalar(value: unknown): value is string | boolean | number | null {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}
