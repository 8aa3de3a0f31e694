/** The longest start of a well-formed text that has at most `maxBytes` UTF-8 bytes and splits no character. */
export function startWithin(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let at = 0;
  let left = maxBytes;
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    at += character.length;
  }
  return text.slice(0, at);
}
