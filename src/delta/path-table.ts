import { MAX_PATH_IDS } from "./op.js";
import type { Path, Segment } from "./op.js";

/** Paths seen once that are remembered in case they come again. */
const MAX_SEEN_PATHS = 4_096;

/** A path that a stream has met, as the end of a way through a tree of segments: finding one costs no text. */
export interface KnownPath {
  /** Absent until the path gets one. */
  id: number | undefined;
  seen: boolean;
  readonly nexts: Map<Segment, KnownPath>;
}

/** The paths of one stream and the ids that they were given. */
export class PathTable {
  #root = newPath();
  #owners: { readonly path: Path; readonly known: KnownPath }[] = [];
  #next = 0;
  #seenCount = 0;

  find(path: Path): KnownPath {
    let known = this.#root;
    for (const segment of path) {
      let next = known.nexts.get(segment);
      if (next === undefined) known.nexts.set(segment, (next = newPath()));
      known = next;
    }
    return known;
  }

  /** Whether this is the path's first use, which is then remembered. */
  isFirstUse(path: Path, known: KnownPath): boolean {
    if (known.seen) return false;
    if (this.#seenCount >= MAX_SEEN_PATHS) this.#forgetUnnamed();
    this.#seenCount += 1;
    // Looked up anew, since all may just have been forgotten.
    this.find(path).seen = true;
    return true;
  }

  /** Ids are handed out in turn; past the last one the oldest is defined anew. */
  define(path: Path, known: KnownPath): number {
    const id = this.#next;
    const owner = this.#owners[id];
    if (owner !== undefined) {
      owner.known.id = undefined;
      owner.known.seen = false;
    }
    this.#owners[id] = { path, known };
    known.id = id;
    this.#next = (id + 1) % MAX_PATH_IDS;
    return id;
  }

  clear(): void {
    this.#root = newPath();
    this.#owners = [];
    this.#next = 0;
    this.#seenCount = 0;
  }

  /** A stream whose paths are ever new is not to hold them all. */
  #forgetUnnamed(): void {
    this.#root = newPath();
    this.#seenCount = 0;
    this.#owners = this.#owners.map(({ path }, id) => {
      const known = this.find(path);
      known.id = id;
      known.seen = true;
      return { path, known };
    });
  }
}

function newPath(): KnownPath {
  return { id: undefined, seen: false, nexts: new Map() };
}
