import { WireError } from "./errors.js";

export interface ByteRange {
  readonly start: number;
  /** Of the first byte that is not part of it. */
  readonly end: number;
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * What a `Range` header asks of `size` bytes: undefined for all of them, also where the header is none that we know, as
 * RFC 9110 has it. Throws `range_not_satisfiable`.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const match = RANGE.exec(header ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return undefined;
  const [, first = "", last = ""] = match;
  const range =
    first === ""
      ? { start: Math.max(0, size - Number(last)), end: size }
      : { start: Number(first), end: last === "" ? size : Math.min(Number(last) + 1, size) };
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  if (range.start < range.end) return range;
  throw new WireError("range_not_satisfiable", `there are ${size} bytes; the range ${header} holds none of them`);
}
