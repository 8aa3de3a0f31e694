import { ExecError } from "../errors.js";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "./view.js";
import type { Retain, ShellOutputLimits } from "./view.js";

/** Limits with their defaults filled in. */
export interface Caps {
  readonly retain: Retain;
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** A character takes up to four bytes, and each end of `both` must have room for one. */
const LEAST_BYTES = 20;
const LEAST_LINES = 5;
/** A window lies in memory several times over on its way: 64 MiB. */
const MOST_BYTES = 67_108_864;
const MOST_LINES = 10_000_000;

export function resolveCaps(limits: ShellOutputLimits = {}): Caps {
  const { retain = "tail", maxBytes = DEFAULT_MAX_BYTES, maxLines = DEFAULT_MAX_LINES } = limits;
  if (retain !== "tail" && retain !== "head" && retain !== "both") {
    throw new ExecError("invalid_argument", `retain is tail, head or both, not ${JSON.stringify(retain)}.`);
  }
  const least = retain === "both" ? { bytes: LEAST_BYTES, lines: LEAST_LINES } : { bytes: 4, lines: 1 };
  checkRange("maxBytes", maxBytes, least.bytes, MOST_BYTES);
  checkRange("maxLines", maxLines, least.lines, MOST_LINES);
  return { retain, maxBytes, maxLines };
}

/** With `both`: the first fifth of the caps for the start, the rest for the end. */
export function splitCaps({ maxBytes, maxLines }: Caps): { readonly head: Caps; readonly tail: Caps } {
  const headBytes = Math.floor(maxBytes / 5);
  const headLines = Math.floor(maxLines / 5);
  return {
    head: { retain: "head", maxBytes: headBytes, maxLines: headLines },
    tail: { retain: "tail", maxBytes: maxBytes - headBytes, maxLines: maxLines - headLines },
  };
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new ExecError("invalid_argument", `${name} is a whole number from ${least} to ${most}, not ${value}.`);
}
