import { randomBytes } from "node:crypto";
import type { WireTokens } from "../../wire/index.js";

const TOKEN_BYTES = 24;

/** One token for looking on and one that can also change things: 192 bits of chance each. */
export function createTokens(): WireTokens {
  const make = (): string => randomBytes(TOKEN_BYTES).toString("base64url");
  return { view: make(), control: make() };
}
