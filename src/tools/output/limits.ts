import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../../exec/index.js";
import type { ShellOutputLimits } from "../../exec/index.js";
import type { OutputLimits } from "../contract.js";
import { ToolError } from "../errors.js";

/** Fills in defaults. Throws `invalid_argument` for a cap that is not an integer of at least 1. */
export function resolveLimits(limits: ShellOutputLimits | undefined): OutputLimits {
  return {
    retain: limits?.retain ?? "tail",
    maxBytes: checkCap("maxBytes", limits?.maxBytes ?? DEFAULT_MAX_BYTES),
    maxLines: checkCap("maxLines", limits?.maxLines ?? DEFAULT_MAX_LINES),
  };
}

function checkCap(name: string, cap: number): number {
  if (Number.isSafeInteger(cap) && cap >= 1) return cap;
  throw new ToolError("invalid_argument", `output.${name} is an integer of at least 1, not ${cap}.`);
}
