import { WireError } from "./errors.js";
import type { EntryPage } from "./source.js";

export const DEFAULT_PAGE_ENTRIES = 50;
export const MAX_PAGE_ENTRIES = 100;
/** JSON of a page; one entry that alone is larger is sent nevertheless. */
export const MAX_PAGE_BYTES = 1_048_576;

/** Reads `before` (default: the transcript's end) and `limit` of an address. */
export function readPage(query: (name: string) => string | undefined): { before: number; limit: number } {
  return {
    before: wholeNumber("before", query("before"), { fallback: Number.MAX_SAFE_INTEGER, min: 0 }),
    limit: Math.min(MAX_PAGE_ENTRIES, wholeNumber("limit", query("limit"), { fallback: DEFAULT_PAGE_ENTRIES, min: 1 })),
  };
}

/** The last entries of a page that fit in {@link MAX_PAGE_BYTES}; those before them are one more page. */
export function trimPage({ from, entries }: EntryPage): EntryPage {
  let bytes = 0;
  let kept = 0;
  for (const entry of [...entries].reverse()) {
    bytes += Buffer.byteLength(JSON.stringify(entry));
    if (kept > 0 && bytes > MAX_PAGE_BYTES) break;
    kept += 1;
  }
  const dropped = entries.length - kept;
  return { from: from + dropped, entries: entries.slice(dropped) };
}

function wholeNumber(
  name: string,
  text: string | undefined,
  { fallback, min }: { readonly fallback: number; readonly min: number },
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d{1,16}$/.test(text) && value >= min && Number.isSafeInteger(value)) return value;
  throw new WireError("invalid_request", `${name} is a whole number of at least ${min}`);
}
