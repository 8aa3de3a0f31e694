import type { ChatRow, ChatState } from "../../src/facet/index.js";

/** The size of a state as JSON: what a snapshot of it would be. Rows that did not change are not measured again. */
export interface StateSize {
  /** UTF-8 bytes. `touched` are the rows that changed since the last call. */
  measure(state: ChatState, touched: readonly ChatRow[]): number;
}

export function createStateSize(encode: (text: string) => Uint8Array): StateSize {
  const sizes = new WeakMap<ChatRow, number>();
  const bytesOf = (value: unknown): number => encode(JSON.stringify(value)).length;
  const rowBytes = (row: ChatRow): number => {
    const known = sizes.get(row);
    if (known !== undefined) return known;
    const bytes = bytesOf(row);
    sizes.set(row, bytes);
    return bytes;
  };
  return {
    measure(state, touched) {
      for (const row of touched) sizes.delete(row);
      const commas = Math.max(0, state.rows.length - 1);
      return state.rows.reduce((sum, row) => sum + rowBytes(row), bytesOf({ ...state, rows: [] }) + commas);
    },
  };
}
