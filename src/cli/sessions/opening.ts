import type { StoredEntry } from "../../harness/index.js";
import type { Entry } from "../../protocol/index.js";
import { commandOf } from "../show/call-words.js";

/** What began an operation, in words: its prompt, or the call that a program made without one. Undefined for other entries. */
export function describeOpening(entry: Entry | StoredEntry): string | undefined {
  if (entry.type === "user") return entry.text;
  const call = entry.type === "assistant" ? entry.message.content.find((part) => part.type === "toolCall") : undefined;
  return call && (commandOf(call.args ?? null) ?? call.name);
}
