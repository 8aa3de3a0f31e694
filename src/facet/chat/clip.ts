import type { Json } from "../../protocol/index.js";
import { jsonBytes } from "../json-size.js";

/** Text of a prompt that a row holds, in UTF-16 code units. */
export const MAX_PROMPT_LENGTH = 65_536;
/** JSON of a call's arguments that a row holds whole. */
export const MAX_ARGS_BYTES = 16_384;
/** Of larger arguments, each text is held up to this length in UTF-16 code units. */
export const MAX_ARGS_TEXT_LENGTH = 2_048;

/** The longest beginning of `text` within `maxLength` code units that does not end inside a character. */
export function clipText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const isHighSurrogate = (text.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHighSurrogate ? maxLength - 1 : maxLength);
}

/** Arguments as a row holds them; the same value where nothing had to be cut. */
export function clipArgs(args: Json): Json {
  return jsonBytes(args) <= MAX_ARGS_BYTES ? args : clipValue(args, { bytes: MAX_ARGS_BYTES });
}

/** A copy without what comes after the room is used up. */
function clipValue(value: Json, room: { bytes: number }): Json {
  if (typeof value === "string") {
    const clipped = clipText(value, Math.min(MAX_ARGS_TEXT_LENGTH, Math.max(room.bytes, 0)));
    room.bytes -= jsonBytes(clipped);
    return clipped;
  }
  if (typeof value !== "object" || value === null) {
    room.bytes -= jsonBytes(value);
    return value;
  }
  room.bytes -= 2;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      if (room.bytes <= 0) break;
      room.bytes -= 1;
      items.push(clipValue(item, room));
    }
    return items;
  }
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const keyBytes = jsonBytes(key) + 2;
    if (room.bytes <= keyBytes) break;
    room.bytes -= keyBytes;
    entries.push([key, clipValue(item, room)]);
  }
  // Defines its properties: a key such as `__proto__` is data.
  return Object.fromEntries(entries);
}
