import type { ReadListOptions } from "./contract.js";
import { StorageError } from "./errors.js";

const ID = /^[a-z0-9_-]{1,64}$/;
const KEY = /^[A-Za-z0-9_.:/-]{1,256}$/;

export const DEFAULT_PAGE_LIMIT = 100;
export const MAX_PAGE_LIMIT = 10_000;

export function checkId(what: "session" | "scope", id: string): void {
  if (ID.test(id)) return;
  throw invalid(`A ${what} id is 1 to 64 characters of a-z, 0-9, _ and -; ${quote(id)} is not.`);
}

export function checkKey(key: string): void {
  if (KEY.test(key)) return;
  throw invalid(`A key is 1 to 256 characters of A-Z, a-z, 0-9 and _.:/-; ${quote(key)} is not.`);
}

export function checkTag(tag: string): void {
  if (ID.test(tag)) return;
  throw invalid(`A tag is 1 to 64 characters of a-z, 0-9, _ and -; ${quote(tag)} is not.`);
}

export function checkReadOptions({ limit = DEFAULT_PAGE_LIMIT, stopAtTag }: ReadListOptions): number {
  if (stopAtTag !== undefined) checkTag(stopAtTag);
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE_LIMIT) return limit;
  throw invalid(`A page has 1 to ${MAX_PAGE_LIMIT} elements; the limit ${limit} is not possible.`);
}

/** The JSON text of a value; refuses what does not come back equal, with its path. */
export function toJsonText(value: unknown, key: string): string {
  const fault = findFault(value, "", new Set());
  if (fault !== undefined) throw invalid(`The value for ${key} is not JSON: ${fault}.`);
  return JSON.stringify(value);
}

function findFault(value: unknown, path: string, above: Set<object>): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${at(path)} is ${value}`;
  if (typeof value !== "object") return `${at(path)} is ${value === undefined ? "undefined" : `a ${typeof value}`}`;
  if (above.has(value)) return `${at(path)} contains itself`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) {
    return `${at(path)} is an instance of a class`;
  }
  above.add(value);
  const fault = findChildFault(value, path, above);
  above.delete(value);
  return fault;
}

function findChildFault(value: object, path: string, above: Set<object>): string | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const fault = findFault(value[index], `${path}/${index}`, above);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  for (const [key, child] of Object.entries(value)) {
    // JSON leaves keys without a value out, so they come back as they were: absent.
    const fault = child === undefined ? undefined : findFault(child, `${path}/${key}`, above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function at(path: string): string {
  return path === "" ? "it" : path;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function invalid(message: string): StorageError {
  return new StorageError("invalid_argument", message);
}
