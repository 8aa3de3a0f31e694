import { stripVTControlCharacters } from "node:util";

/** Bytes of a saved output as text: without escape sequences and control characters, and of overwritten lines what was left. */
export function plainText(bytes: Uint8Array): string {
  return stripVTControlCharacters(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))
    .replaceAll("\r\n", "\n")
    .replace(/[^\n]*\r(?=[^\n])/g, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
