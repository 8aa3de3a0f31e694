import type { ChatRow, ChatState } from "../../src/facet/index.js";

/** Settled rows that the host's state does not hold any more, without a hole between them and it. */
export interface OlderRows {
  /** In the order of the transcript. */
  readonly rows: readonly ChatRow[];
  /** How many entries of the transcript come before what is shown. */
  before(state: ChatState): number;
  /** Keeps what a batch dropped: `rowsBefore` are the rows as they were before it. */
  follow(rowsBefore: readonly ChatRow[], state: ChatState): void;
  /** Adds a page of rows that end where the shown ones begin; any other is passed over. */
  prepend(rows: readonly ChatRow[], state: ChatState): void;
}

/** Most rows that are kept without having been asked for. */
export const MAX_KEPT_ROWS = 200;

export function createOlderRows(): OlderRows {
  let rows: readonly ChatRow[] = [];
  let end = 0;
  return {
    get rows() {
      return rows;
    },
    before: (state) => state.earlier - rows.length,
    follow(rowsBefore, state) {
      if (state.earlier === end) return;
      end = state.earlier;
      const byPosition = new Map([...rows, ...rowsBefore].map((row) => [row.position, row]));
      rows = rowsUpTo(end, byPosition, Math.max(MAX_KEPT_ROWS, rows.length));
    },
    prepend(page, state) {
      if ((page.at(-1)?.position ?? -1) + 1 === state.earlier - rows.length) rows = [...page, ...rows];
    },
  };
}

/** The last rows before `end`, as far back as each follows the one before. */
function rowsUpTo(end: number, byPosition: ReadonlyMap<number | undefined, ChatRow>, most: number): ChatRow[] {
  const rows: ChatRow[] = [];
  for (let position = end - 1; rows.length < most; position -= 1) {
    const row = byPosition.get(position);
    if (row === undefined) break;
    rows.push(row);
  }
  return rows.reverse();
}
