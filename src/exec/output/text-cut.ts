/** The longest start of `text` that has at most `maxBytes` bytes of UTF-8 and tears no character. */
export function startWithin(text: string, maxBytes: number): string {
  // A code unit takes at least one byte, so that more of them than bytes never fit.
  const candidate = text.length > maxBytes ? text.slice(0, maxBytes) : text;
  const whole = isHigh(candidate.charCodeAt(candidate.length - 1)) ? candidate.slice(0, -1) : candidate;
  if (whole.length * 3 <= maxBytes) return whole;
  const bytes = Buffer.from(whole);
  if (bytes.length <= maxBytes) return whole;
  let end = maxBytes;
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** The longest end of `text` that has at most `maxBytes` bytes of UTF-8 and tears no character. */
export function endWithin(text: string, maxBytes: number): string {
  const candidate = text.length > maxBytes ? text.slice(text.length - maxBytes) : text;
  const whole = isLow(candidate.charCodeAt(0)) ? candidate.slice(1) : candidate;
  if (whole.length * 3 <= maxBytes) return whole;
  const bytes = Buffer.from(whole);
  if (bytes.length <= maxBytes) return whole;
  let start = bytes.length - maxBytes;
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return bytes.toString("utf8", start);
}

/** Whether a cut at `index` would leave halves of a surrogate pair. */
export function tearsCharacter(text: string, index: number): boolean {
  return index > 0 && index < text.length && isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether a byte goes on with a character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
