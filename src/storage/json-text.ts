import { StorageError } from "./errors.js";
import { MAX_COMMIT_BYTES } from "./limits.js";
import type { JsonText } from "./writes.js";

export const MAX_NESTING = 1_000;

/**
 * The JSON text of a value; refuses what would not come back equal, with its path. Every line separator of Unicode is
 * escaped, so that a text stays one line for readers that know more separators than LF.
 */
export function toJsonText(value: unknown, key: string): JsonText {
  const fault = findFault(value, []);
  if (fault !== undefined) {
    throw new StorageError("invalid_argument", `The value for ${key} is not JSON: ${fault}. Store plain data.`);
  }
  try {
    return toText(value);
  } catch (cause) {
    // What is longer than the longest string of the engine, about 512 MiB, is longer than a commit by far.
    if (!(cause instanceof RangeError)) throw cause;
    const limit = `One commit holds at most ${MAX_COMMIT_BYTES} bytes of JSON and keys`;
    throw new StorageError("invalid_argument", `${limit}, and the value for ${key} exceeds that; split it.`, { cause });
  }
}

function toText(value: unknown): JsonText {
  const plain = JSON.stringify(value);
  const plainBytes = Buffer.byteLength(plain);
  if (plainBytes === plain.length) return { json: plain, bytes: plainBytes };
  const json = plain.replaceAll(/[\u0085\u2028\u2029]/g, escapeSeparator);
  return { json, bytes: Buffer.byteLength(json) };
}

interface Step {
  readonly segment: string | number;
  readonly container: object;
}

function findFault(value: unknown, above: Step[]): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${nameOf(above)} is ${value}`;
  if (value === undefined) return `${nameOf(above)} is undefined`;
  if (typeof value !== "object") return `${nameOf(above)} is a ${typeof value}`;
  if (above.some(({ container }) => container === value)) return `${nameOf(above)} contains itself`;
  if (above.length >= MAX_NESTING) return `it is nested more than ${MAX_NESTING} levels deep`;
  // Hidden ones too: they say what is stored, and it is not what was given.
  if ("toJSON" in value && typeof value.toJSON === "function") return `${nameOf(above)} has a \`toJSON\``;
  return Array.isArray(value) ? findFaultInArray(value, above) : findFaultInObject(value, above);
}

function findFaultInArray(array: readonly unknown[], above: Step[]): string | undefined {
  // By index, because holes are found only so.
  for (let index = 0; index < array.length; index += 1) {
    const fault = findFaultBelow(array, index, array[index], above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findFaultInObject(object: object, above: Step[]): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return `${nameOf(above)} is an instance of a class`;
  for (const [segment, child] of Object.entries(object)) {
    // JSON leaves keys without a value out, so they come back as they were: absent.
    const fault = child === undefined ? undefined : findFaultBelow(object, segment, child, above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findFaultBelow(
  container: object,
  segment: string | number,
  child: unknown,
  above: Step[],
): string | undefined {
  if (child === null || typeof child === "string" || typeof child === "boolean") return undefined;
  above.push({ segment, container });
  const fault = findFault(child, above);
  above.pop();
  return fault;
}

function nameOf(above: readonly Step[]): string {
  return above.length === 0 ? "it" : above.map(({ segment }) => `/${segment}`).join("");
}

function escapeSeparator(separator: string): string {
  return `\\u${separator.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
