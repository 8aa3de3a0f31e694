import type { Batch, Path } from "../../src/delta/index.js";
import type { ChatRow, ChatState } from "../../src/facet/index.js";

/** What changed in a state that `apply` mutates in place: enough to draw anew that alone. */
export interface RowChanges {
  /** Notes a batch, after it was applied to `state`. Gives the rows that it touched. */
  note(state: ChatState, batch: Batch): readonly ChatRow[];
  /** Rises with each batch that touches the row. */
  versionOf(row: ChatRow): number;
  /** How far the text at `holder.text` has moved. Another object than before: it is a new text. */
  trackOf(holder: object): TextTrack;
}

export interface TextTrack {
  /** UTF-16 code units that were dropped from the front. */
  readonly dropped: number;
}

export function createRowChanges(): RowChanges {
  const versions = new WeakMap<ChatRow, number>();
  const tracks = new WeakMap<object, { dropped: number }>();
  const trackOf = (holder: object): { dropped: number } => {
    const known = tracks.get(holder);
    if (known !== undefined) return known;
    const track = { dropped: 0 };
    tracks.set(holder, track);
    return track;
  };
  return {
    note(state, batch) {
      const touched = findTouched(state, batch);
      for (const row of touched) versions.set(row, (versions.get(row) ?? 0) + 1);
      for (const { holder, dropped } of findTextMoves(state, batch)) {
        if (dropped === "all") tracks.delete(holder);
        else trackOf(holder).dropped += dropped;
      }
      return touched;
    },
    versionOf: (row) => versions.get(row) ?? 0,
    trackOf,
  };
}

function findTouched(state: ChatState, batch: Batch): readonly ChatRow[] {
  if (batch.some(([verb, path]) => verb === "r" || (verb === "s" && isPathTo(path, "rows", 1)))) return state.rows;
  const touched = new Set<ChatRow>();
  for (const [index, op] of batch.entries()) {
    if (op[0] === "r") continue;
    const row = rowNow(state, batch, index, op[1]);
    if (row !== undefined) touched.add(row);
  }
  return [...touched];
}

interface TextMove {
  readonly holder: object;
  /** `all`: the text is another one. */
  readonly dropped: number | "all";
}

function findTextMoves(state: ChatState, batch: Batch): TextMove[] {
  return batch.flatMap((op, index): TextMove[] => {
    const [verb, path] = op;
    if ((verb !== "t" && verb !== "s") || path.at(-1) !== "text") return [];
    const row = rowNow(state, batch, index, path);
    const holder = row === undefined ? undefined : valueAt(row, path.slice(2, -1));
    if (typeof holder !== "object" || holder === null) return [];
    // Blocks that moved within their row meanwhile may be other ones than the op meant.
    const isSure = !batch.slice(index + 1).some(([next, other]) => next === "p" && other.length > 2);
    return [{ holder, dropped: verb === "t" && isSure ? op[2] : "all" }];
  });
}

/** The row that the path of the op at `index` meant, where the batch has left it; undefined where it is gone. */
function rowNow(state: ChatState, batch: Batch, index: number, path: Path): ChatRow | undefined {
  if (path[0] !== "rows" || typeof path[1] !== "number") return undefined;
  let at = path[1];
  for (const op of batch.slice(index + 1)) {
    if (op[0] !== "p" || !isPathTo(op[1], "rows", 1)) continue;
    const [, , from, remove, items] = op;
    if (at < from) continue;
    if (at < from + remove) return undefined;
    at += items.length - remove;
  }
  return state.rows[at];
}

function isPathTo(path: unknown, key: string, length: number): boolean {
  return Array.isArray(path) && path.length === length && path[0] === key;
}

function valueAt(root: object, path: Path): unknown {
  let value: unknown = root;
  for (const segment of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[segment];
  }
  return value;
}
