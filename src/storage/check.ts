import type { Scope } from "./address.js";
import { StorageError } from "./errors.js";

const ID = /^[a-z0-9_-]{1,64}$/;
const KEY = /^[A-Za-z0-9_.:/-]{1,256}$/;

export const DEFAULT_PAGE_LIMIT = 100;
export const MAX_PAGE_LIMIT = 10_000;

export function isId(id: string): boolean {
  return ID.test(id);
}

export function checkSessionId(id: string): void {
  if (!ID.test(id)) throw invalid("A session id", "1 to 64 characters of a-z, 0-9, _ and -", id);
}

export function checkScope(scope: Scope): void {
  if (scope.kind === "ephemeral" && !ID.test(scope.id)) {
    throw invalid("A scope id", "1 to 64 characters of a-z, 0-9, _ and -", scope.id);
  }
}

export function checkKey(key: string): void {
  if (!KEY.test(key)) throw invalid("A key", "1 to 256 characters of A-Z, a-z, 0-9 and _.:/-", key);
}

export function checkTag(tag: string): void {
  if (!ID.test(tag)) throw invalid("A tag", "1 to 64 characters of a-z, 0-9, _ and -", tag);
}

/** The most elements of a page. */
export function checkLimit(limit: number = DEFAULT_PAGE_LIMIT): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE_LIMIT) return limit;
  throw new StorageError("invalid_argument", `A page has 1 to ${MAX_PAGE_LIMIT} elements; ${limit} is no such number.`);
}

function invalid(what: string, rule: string, given: string): StorageError {
  const shown = given.length > 80 ? `${given.slice(0, 80)}…` : given;
  return new StorageError("invalid_argument", `${what} is ${rule}; ${JSON.stringify(shown)} is not.`);
}
