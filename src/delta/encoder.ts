import type { Encoder } from "./contract.js";
import { MAX_PATH_IDS } from "./op.js";
import type { Batch, Op, PathRef, WireBatch, WireOp } from "./op.js";

/** Paths seen once that are remembered in case they come again. */
const MAX_SEEN_PATHS = 4_096;

/** An encoder for one stream: a path gets an id on its second use and is left out where it repeats the op before. */
export function encoder(): Encoder {
  return new PathEncoder();
}

class PathEncoder implements Encoder {
  readonly #ids = new Map<string, number>();
  readonly #owners: string[] = [];
  readonly #seen = new Set<string>();
  #next = 0;

  encode(batch: Batch): WireBatch {
    const wire: WireOp[] = [];
    let previous: string | undefined;
    for (const op of batch) {
      if (op[0] === "r") {
        this.forget();
        wire.push(op);
        continue;
      }
      const key = JSON.stringify(op[1]);
      wire.push(...(key === previous ? [withoutPath(op)] : this.#withPath(op, key)));
      previous = key;
    }
    return wire;
  }

  forget(): void {
    this.#ids.clear();
    this.#seen.clear();
    this.#owners.length = 0;
    this.#next = 0;
  }

  #withPath(op: Edit, key: string): WireOp[] {
    const known = this.#ids.get(key);
    if (known !== undefined) return [withPath(op, known)];
    if (this.#seen.delete(key)) {
      const id = this.#define(key);
      return [["#", id, op[1]], withPath(op, id)];
    }
    if (this.#seen.size >= MAX_SEEN_PATHS) this.#seen.clear();
    this.#seen.add(key);
    return [withPath(op, op[1])];
  }

  /** Ids are handed out in turn; past the last one the oldest is defined anew. */
  #define(key: string): number {
    const id = this.#next;
    const owner = this.#owners[id];
    if (owner !== undefined) this.#ids.delete(owner);
    this.#owners[id] = key;
    this.#ids.set(key, id);
    this.#next = (id + 1) % MAX_PATH_IDS;
    return id;
  }
}

type Edit = Exclude<Op, readonly ["r", ...unknown[]]>;

function withPath(op: Edit, path: PathRef): WireOp {
  switch (op[0]) {
    case "s":
      return ["s", path, op[2]];
    case "d":
      return ["d", path];
    case "a":
      return ["a", path, op[2]];
    case "t":
      return ["t", path, op[2]];
    default:
      return ["p", path, op[2], op[3], op[4]];
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
