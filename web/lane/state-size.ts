import type { ChatRow, ChatState } from "../../src/facet/index.js";
import type { TextTrack } from "./row-changes.js";

/** The size of a state as JSON: what a snapshot of it would be. What did not change is not measured again. */
export interface StateSize {
  /** UTF-8 bytes. `touched` are the rows that changed since the last call. */
  measure(state: ChatState, touched: readonly ChatRow[]): number;
}

export interface StateSizeOptions {
  readonly encode: (text: string) => Uint8Array;
  readonly trackOf: (holder: object) => TextTrack;
}

export function createStateSize({ encode, trackOf }: StateSizeOptions): StateSize {
  const bytesOf = (value: unknown): number => encode(JSON.stringify(value)).length;
  const sizes = new WeakMap<ChatRow, number>();
  const textBytes = createTextSize((text) => bytesOf(text) - QUOTES, trackOf);
  const rowBytes = (row: ChatRow): number => {
    const known = sizes.get(row);
    if (known !== undefined) return known;
    const bytes = bytesOf(withoutTexts(row)) + textsOf(row).reduce((sum, holder) => sum + textBytes(holder), 0);
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

const QUOTES = 2;

interface TextHolder {
  readonly text: string;
}

/** Sizes of texts that grow and are dropped from: what came and what went is measured, not what stays. */
function createTextSize(
  bytesOf: (text: string) => number,
  trackOf: (holder: object) => TextTrack,
): (holder: TextHolder) => number {
  const known = new WeakMap<object, { track: TextTrack; dropped: number; text: string; bytes: number }>();
  return (holder) => {
    const { text } = holder;
    const track = trackOf(holder);
    const last = known.get(holder);
    const went = last?.track === track ? track.dropped - last.dropped : Infinity;
    const stays = last === undefined ? 0 : last.text.length - went;
    const bytes =
      last === undefined || stays <= 0 || stays > text.length
        ? bytesOf(text)
        : last.bytes - bytesOf(last.text.slice(0, went)) + bytesOf(text.slice(stays));
    known.set(holder, { track, dropped: track.dropped, text, bytes });
    return bytes;
  };
}

function textsOf(row: ChatRow): readonly TextHolder[] {
  if (row.type === "user" || row.type === "summary") return [];
  const content: readonly object[] = (row.type === "tool" ? row.output : row.message)?.content ?? [];
  return content.filter((part): part is TextHolder => "text" in part && typeof part.text === "string");
}

function withoutTexts(row: ChatRow): object {
  const emptied = (content: readonly object[]): object[] =>
    content.map((part) => ("text" in part ? { ...part, text: "" } : part));
  if (row.type === "tool" && row.output !== undefined) {
    return { ...row, output: { ...row.output, content: emptied(row.output.content) } };
  }
  if (row.type === "assistant" && row.message !== undefined) {
    return { ...row, message: { ...row.message, content: emptied(row.message.content) } };
  }
  return row;
}
