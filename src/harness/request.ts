import type { ModelMessage, ModelRequest } from "../models/index.js";
import type { AssistantEntry, AssistantToolCall, Entry, SummaryEntry, ToolEntry } from "../protocol/index.js";
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
 * followed, in call order, by exactly one result, because providers refuse a conversation where one is missing. What a
 * summary stands for is left out, and the newest summary takes its place.
 */
export function buildMessages(transcript: readonly Entry[]): ModelMessage[] {
  const results = new Map<string, ToolEntry>();
  for (const entry of transcript) if (entry.type === "tool") results.set(entry.toolCallId, entry);
  const { summary, entries } = splitAtSummary(transcript);
  const start: ModelMessage[] = summary === undefined ? [] : [{ role: "user", text: introduceSummary(summary) }];
  return start.concat(entries.flatMap((entry) => buildMessage(entry, results)));
}

function buildMessage(entry: Entry, results: ReadonlyMap<string, ToolEntry>): ModelMessage[] {
  switch (entry.type) {
    case "user":
      return [{ role: "user", text: entry.text }];
    case "assistant":
      return [
        { role: "assistant", content: entry.message.content },
        ...callsOf(entry).map((call) => buildResult(call, results.get(call.toolCallId))),
      ];
    default:
      return [];
  }
}

/** The newest summary, and the entries that it does not stand for. */
export function splitAtSummary(transcript: readonly Entry[]): {
  readonly summary: SummaryEntry | undefined;
  readonly entries: readonly Entry[];
} {
  const summary = transcript.findLast((entry): entry is SummaryEntry => entry.type === "summary");
  if (summary === undefined) return { summary, entries: transcript };
  const through = transcript.findIndex(({ id }) => id === summary.through);
  return { summary, entries: transcript.slice(through + 1) };
}

function introduceSummary({ text }: SummaryEntry): string {
  return `[What was said and done before, summed up because it did not fit any more]\n\n${text}`;
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
