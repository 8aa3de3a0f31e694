import type { Segment } from "./op.js";
import type { RawContainer } from "./raw-state.js";
import { TrackedArray } from "./tracked-array.js";
import type { NodeTree, TrackedNode } from "./tracked-node.js";
import { TrackedObject } from "./tracked-object.js";

/**
 * Makes nodes when they are needed and finds them again, so that a container has one proxy as long as somebody holds it. What
 * nobody holds and what has no change to tell is let go: a state that was read through costs no more than before.
 */
export class LazyNodeTree implements NodeTree {
  readonly #nodes = new WeakMap<RawContainer, WeakRef<TrackedNode>>();

  nodeOf(raw: RawContainer, parent: TrackedNode | undefined, key: Segment): TrackedNode {
    const known = this.knownNode(raw);
    if (known !== undefined) return known;
    const node = Array.isArray(raw)
      ? new TrackedArray(raw, this, parent, key)
      : new TrackedObject(raw, this, parent, key);
    this.#nodes.set(raw, new WeakRef(node));
    return node;
  }

  knownNode(raw: RawContainer): TrackedNode | undefined {
    return this.#nodes.get(raw)?.deref();
  }
}
