/** UTF-8 bytes of a value as JSON. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** UTF-8 bytes of text as it stands in JSON, without its quotes. */
export function jsonTextBytes(text: string): number {
  return text === "" ? 0 : jsonBytes(text) - 2;
}
