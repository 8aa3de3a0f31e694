import type { Entry, Usage } from "../protocol/index.js";

/** What an entry's message or call consumed. */
export function usageOf(entry: Entry): Usage | undefined {
  if (entry.type === "user") return undefined;
  if (entry.type === "summary") return entry.usage;
  return entry.type === "assistant" ? entry.message.usage : entry.output.usage;
}
