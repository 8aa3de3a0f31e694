import type { ModelMessage, ModelRequest } from "../models/index.js";
import type { AssistantEntry, AssistantToolCall, Entry, ToolEntry } from "../protocol/index.js";
import type { OfferedTool, Runtime } from "./runtime.js";

/** What the model is asked after a transcript: the stored blocks of every call, unchanged, and the tools it may call. */
export function buildRequest(runtime: Runtime, transcript: readonly Entry[]): ModelRequest {
  return {
    ...(runtime.system === undefined ? {} : { system: runtime.system }),
    messages: buildMessages(transcript),
    tools: offeredTools(runtime, transcript).map(({ definition }) => definition),
  };
}

/** The tools that the model may call after a transcript: the initial ones and those that a call made available. */
export function offeredTools(runtime: Runtime, transcript: readonly Entry[]): readonly OfferedTool[] {
  if (runtime.deferredTools.length === 0) return runtime.tools;
  const added = new Set(transcript.flatMap((entry) => (entry.type === "tool" ? (entry.output.addedTools ?? []) : [])));
  return [...runtime.tools, ...runtime.deferredTools.filter(({ tool }) => added.has(tool.name))];
}

/**
 * Entries lie in the order in which they were stored, and calls end in any order: here every call of an answer is
 * followed, in call order, by exactly one result, because providers refuse a conversation where one is missing.
 */
export function buildMessages(transcript: readonly Entry[]): ModelMessage[] {
  const results = new Map<string, ToolEntry>();
  for (const entry of transcript) if (entry.type === "tool") results.set(entry.toolCallId, entry);
  return transcript.flatMap((entry): ModelMessage[] => {
    if (entry.type === "user") return [{ role: "user", text: entry.text }];
    if (entry.type === "tool") return [];
    return [
      { role: "assistant", content: entry.message.content },
      ...callsOf(entry).map((call) => buildResult(call, results.get(call.toolCallId))),
    ];
  });
}

export function callsOf(entry: Pick<AssistantEntry, "message">): AssistantToolCall[] {
  return entry.message.content.filter((part) => part.type === "toolCall");
}

function buildResult(call: AssistantToolCall, result: ToolEntry | undefined): ModelMessage {
  return {
    role: "tool",
    toolCallId: call.toolCallId,
    ...(call.providerCallId === undefined ? {} : { providerCallId: call.providerCallId }),
    toolName: call.name,
    isError: result?.isError ?? true,
    content: result?.output.content ?? [{ type: "text", text: "[no result of this call is stored]", notice: true }],
  };
}
