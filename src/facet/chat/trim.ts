import { jsonBytes } from "../json-size.js";
import { isSettled } from "./rows.js";
import type { ChatRow, ChatState } from "./state.js";

/** Drops the oldest settled rows; where the open ones alone are too large, withholds the largest of them too. */
export function trimChat(state: ChatState, maxBytes: number): number {
  const sizes = state.rows.map((row) => jsonBytes(row) + 1);
  const frameBytes = jsonBytes({ ...state, rows: [], earlier: Number.MAX_SAFE_INTEGER });
  let bytes = sizes.reduce((sum, size) => sum + size, frameBytes);

  const places = new Map(state.rows.map((row, index) => [row.position, index]));
  const dropped: number[] = [];
  for (let position = state.earlier; bytes > maxBytes; position += 1) {
    const index = places.get(position);
    if (index === undefined) break;
    dropped.push(index);
    bytes -= sizes[index] ?? 0;
  }
  removeRows(state.rows, dropped);
  if (dropped.length > 0) state.earlier += dropped.length;

  return bytes > maxBytes ? bytes - withholdLargest(state.rows, bytes - maxBytes) : bytes;
}

/** Removes the rows at these indexes, in as few splices as they allow. */
function removeRows(rows: ChatRow[], indexes: readonly number[]): void {
  const descending = [...indexes].sort((a, b) => b - a);
  for (let from = 0; from < descending.length;) {
    let to = from;
    while (to + 1 < descending.length && descending[to + 1] === (descending[to] ?? 0) - 1) to += 1;
    rows.splice(descending[to] ?? 0, to - from + 1);
    from = to + 1;
  }
}

function withholdLargest(rows: readonly ChatRow[], excessBytes: number): number {
  const parts = rows
    .filter((row) => !isSettled(row))
    .map((row) => ({ row, bytes: jsonBytes(contentOf(row)) - WITHHELD_BYTES }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  let saved = 0;
  for (const { row, bytes } of parts) {
    if (saved >= excessBytes) break;
    withhold(row);
    saved += bytes;
  }
  return saved;
}

function contentOf(row: ChatRow): object {
  if (row.type === "assistant") return { message: row.message };
  return row.type === "tool" ? { output: row.output } : {};
}

function withhold(row: ChatRow): void {
  if (row.type !== "assistant" && row.type !== "tool") return;
  row.withheld = true;
  if (row.type === "assistant") delete row.message;
  else delete row.output;
}

/** What stands in the place of a withheld part. */
const WITHHELD_BYTES = jsonBytes({ withheld: true });
