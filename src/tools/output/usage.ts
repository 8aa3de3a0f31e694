import { USAGE_FIELDS } from "../../protocol/index.js";
import type { Usage } from "../../protocol/index.js";
import { ToolError } from "../errors.js";

/** Refuses amounts that no sum can be made of. */
export function checkUsage(usage: Usage): void {
  for (const field of USAGE_FIELDS) {
    const amount = usage[field];
    if (amount === undefined || (Number.isFinite(amount) && amount >= 0)) continue;
    throw new ToolError("invalid_argument", `usage.${field} is a number of at least 0, not ${amount}.`);
  }
}
