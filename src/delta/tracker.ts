import type { Tracker } from "./contract.js";
import { refuse } from "./error.js";
import { LazyNodeTree } from "./node-tree.js";
import type { Batch, Op } from "./op.js";
import { copyWritten, isRawContainer } from "./raw-state.js";
import type { TrackedNode } from "./tracked-node.js";

/** Records the changes of a copy of `initial`, which must be a JSON object or array. The first flush is a base batch. */
export function track<T extends object>(initial: T): Tracker<T> {
  return new StateTracker(initial);
}

class StateTracker<T extends object> implements Tracker<T> {
  readonly #tree = new LazyNodeTree();
  #root: TrackedNode;
  #owesBase = true;

  constructor(initial: T) {
    this.#root = this.#plant(initial);
  }

  get state(): T {
    return this.#root.proxy as T;
  }

  set state(value: T) {
    if (value === this.#root.proxy) return;
    this.#root = this.#plant(value);
    this.#owesBase = true;
  }

  get dirty(): boolean {
    return this.#owesBase || this.#root.changed;
  }

  flush(): Batch {
    const ops: Op[] = [];
    if (this.#owesBase) ops.push(["r", this.#root.copy()]);
    else this.#root.emit([], ops);
    this.#owesBase = false;
    this.#root.settle();
    return ops;
  }

  rebase(): void {
    this.#owesBase = true;
  }

  snapshot(): T {
    return this.#root.copy() as T;
  }

  #plant(value: T): TrackedNode {
    const raw = copyWritten(value, () => [], 0);
    if (isRawContainer(raw)) return this.#tree.nodeOf(raw, undefined, 0);
    return refuse("not_json", "an object or array", []);
  }
}
