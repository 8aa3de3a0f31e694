import type { Entry, Usage } from "../protocol/index.js";

const FIELDS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "costUsd"] as const;

/** The sum, field by field; a field that neither has stays absent. */
export function addUsage(a: Usage, b: Usage | undefined): Usage {
  const sum: Usage = { ...a };
  for (const field of FIELDS) {
    const more = b?.[field];
    if (more !== undefined) sum[field] = (sum[field] ?? 0) + more;
  }
  return sum;
}

/** What an entry's message or call consumed. */
export function usageOf(entry: Entry): Usage | undefined {
  if (entry.type === "user") return undefined;
  return entry.type === "assistant" ? entry.message.usage : entry.output.usage;
}
