import { ID_PATTERN } from "../../protocol/index.js";
import type { SessionId } from "../../protocol/index.js";

/** @throws {RangeError} whose message says what is accepted. */
export function parseSessionId(text: string): SessionId {
  if (ID_PATTERN.test(text)) return text;
  throw new RangeError(
    `"${text}" is no session's id; those have 1 to 64 characters of a-z, 0-9, _ and -, see: spillway sessions`,
  );
}
