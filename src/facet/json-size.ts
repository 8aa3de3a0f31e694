/** UTF-8 bytes of `JSON.stringify(value)`, counted without making that text. `value` is plain JSON, perhaps tracked. */
export function jsonBytes(value: unknown): number {
  if (typeof value === "string") return stringBytes(value);
  if (typeof value !== "object" || value === null) return String(value).length;
  return Array.isArray(value) ? arrayBytes(value) : objectBytes(value);
}

/** UTF-8 bytes of a text. A lone surrogate counts as the three bytes of what replaces it. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    if (isPairAt(text, index, unit)) index += 1;
  }
  return bytes;
}

function arrayBytes(items: readonly unknown[]): number {
  let bytes = 2 + Math.max(0, items.length - 1);
  for (const item of items) bytes += jsonBytes(item);
  return bytes;
}

function objectBytes(value: object): number {
  let bytes = 1;
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) bytes += stringBytes(key) + 1 + jsonBytes(item) + 1;
  }
  return Math.max(bytes, 2);
}

function stringBytes(text: string): number {
  let bytes = text.length + 2;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x80) {
      if (unit === 0x22 || unit === 0x5c) bytes += 1;
    } else if (unit < 0x20) {
      bytes += SHORT_ESCAPES.has(unit) ? 1 : 5;
    } else if (unit < 0x800) {
      bytes += 1;
    } else if (isPairAt(text, index, unit)) {
      bytes += 2;
      index += 1;
    } else {
      bytes += isSurrogate(unit) ? 5 : 2;
    }
  }
  return bytes;
}

/** `\b`, `\t`, `\n`, `\f` and `\r`; other control characters, and lone surrogates, are written as `\uXXXX`. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);

function isPairAt(text: string, index: number, unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}
