import { crc32 } from "node:zlib";
import type { Sequence } from "../contract.js";
import { LineReader } from "./line-reader.js";
import { endOfLine } from "./record.js";
import type { LogTail } from "./record.js";

export const FORMAT_VERSION = 1;

/** The first line of every file. */
export interface LogHeader {
  readonly version: number;
  readonly session: string;
  /** `null` in a main log. */
  readonly scope: string | null;
  /** The first commit of the scope's life, whatever was dropped since; 0 in a main log. */
  readonly since: Sequence;
}

export function encodeHeader({ version, session, scope, since }: LogHeader): { bytes: Buffer; tail: LogTail } {
  const text = JSON.stringify({ spillway: "storage", version, session, scope, since }).slice(0, -1);
  const crc = crc32(text);
  const bytes = Buffer.from(`${text}${endOfLine(crc)}`, "latin1");
  return { bytes, tail: { length: bytes.length, crc } };
}

/** More bytes than a header has. */
export const MAX_HEADER_BYTES = 512;

/** The header at the beginning of a file, or `undefined` where none verifies. */
export function parseHeader(beginning: Buffer): { header: LogHeader; tail: LogTail } | undefined {
  const end = beginning.indexOf("\n");
  const crc = end < 0 ? undefined : new LineReader().verify(beginning, 0, end);
  if (crc === undefined) return undefined;
  const parsed = parseJson(beginning.toString("latin1", 0, end));
  if (!isHeader(parsed)) return undefined;
  const { version, session, scope, since } = parsed;
  return { header: { version, session, scope, since }, tail: { length: end + 1, crc } };
}

function isHeader(value: unknown): value is LogHeader & { readonly spillway: string } {
  if (typeof value !== "object" || value === null) return false;
  const { spillway, version, session, scope, since } = value as Partial<Record<string, unknown>>;
  return (
    spillway === "storage" &&
    typeof version === "number" &&
    typeof session === "string" &&
    (scope === null || typeof scope === "string") &&
    typeof since === "number"
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
