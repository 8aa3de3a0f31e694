import type { Segment } from "./op.js";
import type { RawContainer } from "./raw-state.js";
import { TrackedArray } from "./tracked-array.js";
import type { NodeTree, TrackedNode } from "./tracked-node.js";
import { TrackedObject } from "./tracked-object.js";

/** Makes nodes when they are first needed and finds them again, so that a container has one proxy as long as it lives. */
export class LazyNodeTree implements NodeTree {
  readonly #nodes = new WeakMap<RawContainer, TrackedNode>();

  nodeOf(raw: RawContainer, parent: TrackedNode | undefined, key: Segment): TrackedNode {
    const known = this.#nodes.get(raw);
    if (known !== undefined) return known;
    const node = Array.isArray(raw)
      ? new TrackedArray(raw, this, parent, key)
      : new TrackedObject(raw, this, parent, key);
    this.#nodes.set(raw, node);
    return node;
  }

  knownNode(raw: RawContainer): TrackedNode | undefined {
    return this.#nodes.get(raw);
  }
}
