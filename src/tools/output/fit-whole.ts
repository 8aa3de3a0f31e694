import type { Retain } from "../../exec/index.js";
import type { OutputLimits } from "../contract.js";
import { findHead, findTail, fits } from "./fit.js";
import type { Cap, Caps } from "./fit.js";
import { measureText } from "./text-size.js";
import type { TextSize } from "./text-size.js";

/** What a window keeps of a whole text. */
export interface Fitted {
  readonly head: string;
  /** Only where both ends are kept and the middle is not. */
  readonly tail?: string;
  /** Code units that are left out. */
  readonly hidden: number;
  readonly by: Cap | null;
  /** Which line of the text is kept in part. */
  readonly partial?: "first" | "last";
}

export function fitWhole(text: string, retain: Retain, limits: OutputLimits): Fitted {
  const size = measureText(text);
  if (fits(size, limits)) return { head: text, hidden: 0, by: null };
  if (retain === "head") return fitHead(text, limits);
  if (retain === "tail") return fitTail(text, size, limits);
  return fitBoth(text, limits);
}

/** What `both` keeps from the start; the rest of the caps is the end's. */
export function headCaps({ maxBytes, maxLines }: Caps): Caps {
  return { maxBytes: Math.floor(maxBytes / 5), maxLines: Math.floor(maxLines / 5) };
}

/** What is left for the end, beside a start of this size. */
export function tailCaps(limits: Caps, headBytes: number, headLines: number): Caps {
  const head = headCaps(limits);
  return {
    maxBytes: limits.maxBytes - Math.max(head.maxBytes, headBytes),
    maxLines: limits.maxLines - Math.max(head.maxLines, headLines),
  };
}

function fitHead(text: string, caps: Caps): Fitted {
  const { at, by, partial } = findHead(text, caps);
  const fitted = { head: text.slice(0, at), hidden: text.length - at, by };
  return partial ? { ...fitted, partial: "first" } : fitted;
}

function fitTail(text: string, size: TextSize, caps: Caps): Fitted {
  const { at, by, partial } = findTail(text, size, caps);
  const fitted = { head: text.slice(at), hidden: at, by };
  return partial ? { ...fitted, partial: "last" } : fitted;
}

function fitBoth(text: string, limits: OutputLimits): Fitted {
  const start = fitHead(text, headCaps(limits));
  const rest = text.slice(start.head.length);
  const end = fitTail(rest, measureText(rest), tailCaps(limits, 0, 0));
  const partial = end.partial ?? start.partial;
  const fitted = { head: start.head, tail: end.head, hidden: end.hidden, by: end.by };
  return partial === undefined ? fitted : { ...fitted, partial };
}
