import type { Usage } from "../../protocol/index.js";
import { ToolError } from "../errors.js";

const FIELDS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"] as const;

/** The sum of two usages, over the fields that either has. */
export function addUsage(sum: Usage, usage: Usage): Usage {
  const total: Usage = { ...sum };
  for (const field of FIELDS) {
    const amount = usage[field];
    if (amount === undefined) continue;
    if (!Number.isFinite(amount) || amount < 0) {
      throw new ToolError("invalid_argument", `usage.${field} is a number of at least 0, not ${amount}.`);
    }
    total[field] = (total[field] ?? 0) + amount;
  }
  return total;
}
