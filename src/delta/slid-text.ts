import type { Segment } from "./op.js";

/** Shorter texts cost less than what is kept here of longer ones. */
const MIN_UNITS = 2_048;

/**
 * A text that slides, in two pieces: what is left of an old flat text from `offset` on, and what joined it since. A text that
 * lies in many pieces is copied whole when something is cut off it; of these two nothing is copied.
 */
interface SlidText {
  /** The text as its container has it; where that has another, this is out of date. */
  whole: string;
  base: string;
  offset: number;
  tail: string;
}

/** Of containers that are plain data and so have no room for it. It goes with them. */
const slidTexts = new WeakMap<object, Map<Segment, SlidText>>();

/** `text`, which stands in `container`, with more at its end. */
export function growText(container: object, key: Segment, text: string, more: string): string {
  const whole = text + more;
  const slid = find(container, key, text);
  if (slid === undefined) return whole;
  slid.tail += more;
  slid.whole = whole;
  if (slid.tail.length > slid.base.length - slid.offset) start(slid, whole);
  return whole;
}

/** `text`, which stands in `container`, without its first `count` units. */
export function cutText(container: object, key: Segment, text: string, count: number): string {
  if (text.length - count < MIN_UNITS) return text.slice(count);
  const slid = find(container, key, text) ?? remember(container, key, text);
  slid.offset += count;
  if (slid.offset >= slid.base.length) start(slid, slid.tail.slice(slid.offset - slid.base.length));
  else slid.whole = slid.base.slice(slid.offset) + slid.tail;
  return slid.whole;
}

/** The unit at `position` of `text`, which stands in `container`. */
export function unitOf(container: object, key: Segment, text: string, position: number): number {
  const slid = find(container, key, text);
  if (slid === undefined || slid.offset + position >= slid.base.length) return text.charCodeAt(position);
  return slid.base.charCodeAt(slid.offset + position);
}

function find(container: object, key: Segment, text: string): SlidText | undefined {
  const slid = slidTexts.get(container)?.get(key);
  return slid?.whole === text ? slid : undefined;
}

function remember(container: object, key: Segment, text: string): SlidText {
  let texts = slidTexts.get(container);
  if (texts === undefined) slidTexts.set(container, (texts = new Map()));
  const slid = { whole: text, base: text, offset: 0, tail: "" };
  texts.set(key, slid);
  return slid;
}

function start(slid: SlidText, whole: string): void {
  slid.whole = whole;
  slid.base = whole;
  slid.offset = 0;
  slid.tail = "";
}
