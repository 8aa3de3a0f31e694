import type { Usage } from "./tool-output.js";

/** Every amount that a usage may have. */
export const USAGE_FIELDS = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "costUsd",
] as const satisfies readonly (keyof Usage)[];

/** The sum, field by field; a field that neither has stays absent. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  const total: Usage = { ...sum };
  for (const field of USAGE_FIELDS) {
    const amount = more?.[field];
    if (amount !== undefined) total[field] = (total[field] ?? 0) + amount;
  }
  return total;
}
