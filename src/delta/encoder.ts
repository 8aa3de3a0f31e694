import type { Encoder } from "./contract.js";
import { MAX_PATH_IDS } from "./op.js";
import type { Batch, Op, Path, WireBatch, WireOp } from "./op.js";

/** Places that are remembered in case they come again; when there are more, all are forgotten. */
const MAX_PLACES = 4_096;

/** An encoder for one stream: a path gets an id on its second use and is left out where it repeats the op before. */
export function encoder(): Encoder {
  return new PathEncoder();
}

/** Where paths lead that begin alike. */
interface PathNode {
  /** The id of the path that ends here, {@link SEEN} when it came once, or {@link UNSEEN}. */
  id: number;
  next: Map<string | number, PathNode> | undefined;
}

const UNSEEN = -2;
const SEEN = -1;

class PathEncoder implements Encoder {
  #root = newNode();
  #places = 0;
  #owners: PathNode[] = [];
  #nextId = 0;

  encode(batch: Batch): WireBatch {
    const wire: WireOp[] = [];
    let previous: PathNode | undefined;
    for (const op of batch) {
      if (op[0] === "r") {
        this.forget();
        wire.push(op);
        continue;
      }
      const node = this.#find(op[1]);
      if (node === previous) wire.push(withoutPath(op));
      else this.#pushWithPath(op, node, wire);
      previous = node;
    }
    return wire;
  }

  forget(): void {
    this.#root = newNode();
    this.#places = 0;
    this.#owners = [];
    this.#nextId = 0;
  }

  #find(path: Path): PathNode {
    if (this.#places > MAX_PLACES) this.forget();
    let node = this.#root;
    for (const segment of path) {
      let next = node.next?.get(segment);
      if (next === undefined) {
        next = newNode();
        (node.next ??= new Map()).set(segment, next);
        this.#places += 1;
      }
      node = next;
    }
    return node;
  }

  #pushWithPath(op: Edit, node: PathNode, wire: WireOp[]): void {
    if (node.id === UNSEEN) {
      node.id = SEEN;
      wire.push(op);
      return;
    }
    if (node.id === SEEN) {
      this.#define(node);
      wire.push(["#", node.id, op[1]]);
    }
    wire.push(withId(op, node.id));
  }

  /** Ids are handed out in turn; past the last one the oldest is defined anew. */
  #define(node: PathNode): void {
    const id = this.#nextId;
    const owner = this.#owners[id];
    if (owner !== undefined) owner.id = UNSEEN;
    this.#owners[id] = node;
    node.id = id;
    this.#nextId = (id + 1) % MAX_PATH_IDS;
  }
}

type Edit = Exclude<Op, readonly ["r", ...unknown[]]>;

function newNode(): PathNode {
  return { id: UNSEEN, next: undefined };
}

function withId(op: Edit, id: number): WireOp {
  switch (op[0]) {
    case "s":
      return ["s", id, op[2]];
    case "d":
      return ["d", id];
    case "a":
      return ["a", id, op[2]];
    case "t":
      return ["t", id, op[2]];
    default:
      return ["p", id, op[2], op[3], op[4]];
  }
}

function withoutPath(op: Edit): WireOp {
  switch (op[0]) {
    case "s":
      return ["s", op[2]];
    case "d":
      return ["d"];
    case "a":
      return ["a", op[2]];
    case "t":
      return ["t", op[2]];
    default:
      return ["p", op[2], op[3], op[4]];
  }
}
