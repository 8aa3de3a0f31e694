import type { ChatRow, ChatRowState, ChatToolDetails } from "../../src/facet/index.js";
import type { Entry, Json, ToolEntry } from "../../src/protocol/index.js";

/** The row that shows an entry of the transcript, as the chat's own rows do. */
export function entryRow(entry: Entry, position: number): ChatRow {
  const { id: entryId, operationId, at } = entry;
  const place = { operationId, position, entryId, at };
  if (entry.type === "user") return { type: "user", ...place, text: entry.text };
  if (entry.type === "assistant") {
    const { message, stopReason } = entry;
    const state = stopReason === "aborted" ? "aborted" : stopReason === "error" ? "failed" : "done";
    return { type: "assistant", ...place, state, message, stopReason };
  }
  if (entry.type === "summary") return { type: "summary", ...place, text: entry.text, entries: entry.entries };
  const { toolCallId, toolName, args, changedArgs, approval, output } = entry;
  const shown = { ...output, details: spillAlone(output.details) };
  return {
    type: "tool",
    ...place,
    toolCallId,
    toolName,
    args,
    ...(changedArgs !== undefined && { changedArgs }),
    ...(approval !== undefined && { approval }),
    state: callOutcome(entry),
    output: shown,
  };
}

function callOutcome({ isError, stopped }: ToolEntry): ChatRowState {
  return isError ? (stopped ?? "failed") : "done";
}

function spillAlone(details: Json): ChatToolDetails {
  if (typeof details !== "object" || details === null || Array.isArray(details)) return {};
  return typeof details["spillPath"] === "string" ? { spillPath: details["spillPath"] } : {};
}
