import { createHash, timingSafeEqual } from "node:crypto";

/** What a token allows: `control` all that `view` does, and to change things. */
export type Access = "view" | "control";

export interface WireTokens {
  readonly view: string;
  readonly control: string;
}

const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** What the `Authorization` header allows; undefined where it holds no token that is known. */
export function findAccess(tokens: WireTokens, authorization: string | null | undefined): Access | undefined {
  const token = BEARER.exec(authorization ?? "")?.[1];
  if (token === undefined) return undefined;
  // Both are compared, and in constant time, so that an answer's delay tells nothing.
  const isControl = isSame(token, tokens.control);
  const isView = isSame(token, tokens.view);
  if (isControl) return "control";
  return isView ? "view" : undefined;
}

function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
