import { isKnownEncoding } from "../../exec/index.js";

/** @throws {RangeError} whose message says what is accepted. */
export function parseEncoding(text: string): string {
  if (isKnownEncoding(text)) return text;
  throw new RangeError(`"${text}" is no encoding that can be read line by line; use one such as utf-8, gbk or latin1`);
}
