import { refuse } from "./error.js";
import { isPlainScalar } from "./json.js";
import { MAX_PATH_SEGMENTS } from "./op.js";
import type { Json, Op, Path, Segment } from "./op.js";
import { PLACE } from "./place.js";
import type { Found, Place, Undo } from "./place.js";
import { copySlot, copyWritten, isRawContainer } from "./raw-state.js";
import type { RawContainer, Slot } from "./raw-state.js";
import { emitStated } from "./slot-ops.js";
import { StatedText } from "./stated-text.js";
import { splitsCharacter } from "./surrogate.js";

/** What may hold changes inside a container: a child container, or a string with stated edits. */
export type Part = TrackedNode | StatedText;

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
  /** Its position in its parent's list of what may have changed, or -1. */
  listedAt = -1;
  protected readonly tree: NodeTree;
  #parts: Part[] | undefined;
  /** The child that was asked for last. */
  #recent: TrackedNode | undefined;

  constructor(raw: Raw, tree: NodeTree, parent: TrackedNode | undefined, key: Segment) {
    this.raw = raw;
    this.tree = tree;
    this.parent = parent;
    this.key = key;
    this.proxy = new Proxy(raw, this);
  }

  /** Gives the ops that tell what changed in here. `trail` is the path of this container; it is given back as it was. */
  abstract emit(trail: Segment[], ops: Op[]): void;
  /** Whether `emit` would give anything. */
  abstract get changed(): boolean;
  abstract put(key: Segment, value?: Json): Undo;
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

  get #levels(): number {
    return this.parent === undefined ? 0 : this.parent.#levels + 1;
  }

  find(key: Segment): Found {
    const slot = this.slotAt(key);
    return isRawContainer(slot) ? this.tree.nodeOf(slot, this, key) : slot;
  }

  /** A cut inside a surrogate pair is not stated, as no flush may tell one; it is a plain write of what is there then. */
  slide(key: Segment, drop: number, text: string): Undo {
    if (drop === 0 && text === "") return nothing;
    const old = this.slotAt(key);
    if ((typeof old === "string" || old instanceof StatedText) && splitsCharacter(old, drop)) {
      return this.put(key, old.toString().slice(drop) + text);
    }
    return this.#statedText(key).slide(drop, text);
  }

  /** What was told up to now is the new past. */
  settle(): void {
    for (const part of this.parts) {
      part.listedAt = -1;
      part.settle();
    }
    this.#parts = undefined;
    this.forget();
  }

  copy(): Json {
    return copySlot(this.raw);
  }

  /** What a program sees of an own slot: text as a string, a container as its proxy. */
  protected view(slot: Slot, key: Segment): unknown {
    if (typeof slot !== "object" || slot === null) return slot;
    if (slot instanceof StatedText) return slot.toString();
    this.#recent = this.tree.nodeOf(slot, this, key);
    return this.#recent.proxy;
  }

  /** {@link view} of the slot that was seen last, and so is an own one; undefined for others. */
  protected viewRecent(slot: Slot): unknown {
    return this.#recent?.raw === slot ? this.#recent?.proxy : undefined;
  }

  /** A copy of a value that a program writes at `key`. */
  protected copyIn(value: unknown, key: Segment): Json {
    if (isPlainScalar(value)) return value;
    return copyWritten(value, () => [...this.path, key], this.#levels + 1);
  }

  /** Copies of values that a program puts into an array from `index` on. */
  protected copyInItems(values: readonly unknown[], index: number): Json[] {
    return values.map((value, offset) => this.copyIn(value, index + offset));
  }

  /** Whether `value` is the tracked container that stands at the slot already. */
  protected isSame(slot: Slot | undefined, value: unknown): boolean {
    return typeof value === "object" && isRawContainer(slot) && this.tree.knownNode(slot)?.proxy === value;
  }

  protected get parts(): readonly Part[] {
    return this.#parts ?? NO_PARTS;
  }

  protected partsChanged(isOld: (part: Part) => boolean): boolean {
    return this.parts.some((part) => isOld(part) && part.changed);
  }

  /** A container too deep for a path of its own is told whole. */
  protected emitPart(trail: Segment[], part: Part, ops: Op[]): void {
    trail.push(part.key);
    if (part instanceof StatedText) emitStated(trail.slice(), part, ops);
    else if (trail.length < MAX_PATH_SEGMENTS) part.emit(trail, ops);
    else if (part.changed) ops.push(["s", trail.slice(), part.copy()]);
    trail.pop();
  }

  /** Makes a change in this container findable from the root. */
  protected noteChange(): void {
    if (this.listedAt < 0) this.parent?.list(this);
  }

  /** Lists a part among what may have changed; what lists something is listed itself. */
  protected list(part: Part): void {
    if (part.listedAt >= 0) return;
    this.#parts ??= [];
    part.listedAt = this.#parts.push(part) - 1;
    this.noteChange();
  }

  /** What stood here is no part of the state any more. */
  protected detach(slot: Slot | undefined): void {
    if (typeof slot !== "object" || slot === null) return;
    const part = slot instanceof StatedText ? slot : this.tree.knownNode(slot);
    if (part === undefined) return;
    if (part === this.#recent) this.#recent = undefined;
    if (part instanceof TrackedNode) part.parent = undefined;
    if (part.listedAt < 0) return;
    const last = this.#parts?.pop();
    if (last !== undefined && last !== part && this.#parts !== undefined) {
      this.#parts[part.listedAt] = last;
      last.listedAt = part.listedAt;
    }
    part.listedAt = -1;
  }

  /** Takes {@link detach} back. */
  protected attach(slot: Slot | undefined): void {
    if (slot instanceof StatedText) {
      if (slot.changed) this.list(slot);
    } else if (isRawContainer(slot)) {
      const node = this.tree.knownNode(slot);
      if (node === undefined) return;
      node.parent = this;
      if (node.parts.length > 0 || node.remembers) this.list(node);
    }
  }

  /** The string stays stated, also when the edit is undone: whoever reads it sees no difference. */
  #statedText(key: Segment): StatedText {
    const slot = this.slotAt(key);
    if (slot instanceof StatedText) {
      this.list(slot);
      return slot;
    }
    const text = new StatedText(typeof slot === "string" ? slot : "", key);
    this.setSlot(key, text);
    this.list(text);
    return text;
  }

  preventExtensions(): boolean {
    refuse("unwritable", "a snapshot() to freeze", this.path);
  }

  setPrototypeOf(): boolean {
    refuse("not_json", "plain data", this.path);
  }

  /** The one data property that this trap's callers may define: plain, as an assignment makes it. */
  protected plainValue(descriptor: PropertyDescriptor, key: Segment): unknown {
    const { writable, enumerable, configurable } = descriptor;
    const isPlain = writable !== false && enumerable !== false && configurable !== false;
    if (isPlain && !("get" in descriptor) && !("set" in descriptor)) return descriptor.value;
    return refuse("not_json", "plain data", [...this.path, key]);
  }

  protected symbolGet(target: Raw, key: symbol): unknown {
    return key === PLACE ? this : Reflect.get(target, key);
  }

  protected refuseSymbol(): never {
    refuse("not_json", "strings for keys", this.path);
  }
}

/** The undo of an edit that changed nothing. */
export const nothing: Undo = () => undefined;

const NO_PARTS: readonly Part[] = [];
