import type { ModelAnswer, ModelAnswerPart } from "../../../src/testing/index.js";
import { hasCalls, namedEvent, NO_USAGE, pieces } from "./frames.js";

/** Anthropic's Messages API: blocks with a start, deltas and a stop, between `message_start` and `message_stop`. */
export function messagesFrames(answer: ModelAnswer, pieceLength: number): readonly string[] {
  const { outputTokens, ...input } = answer.usage ?? NO_USAGE;
  const usage = {
    input_tokens: input.inputTokens - input.cacheReadTokens - input.cacheWriteTokens,
    cache_creation_input_tokens: input.cacheWriteTokens,
    cache_read_input_tokens: input.cacheReadTokens,
    output_tokens: 1,
  };
  const identity = { id: "msg_01", type: "message", role: "assistant", model: "claude-test", content: [] };
  return [
    namedEvent({ type: "message_start", message: { ...identity, stop_reason: null, stop_sequence: null, usage } }),
    ...answer.parts.flatMap((part, index) => blockFrames(part, index, pieceLength)),
    ...(answer.hangs === true ? [] : endFrames(answer, outputTokens)),
  ];
}

function endFrames(answer: ModelAnswer, outputTokens: number): readonly string[] {
  const reason = answer.reason === "maxTokens" ? "max_tokens" : hasCalls(answer) ? "tool_use" : "end_turn";
  const delta = { stop_reason: reason, stop_sequence: null };
  return [
    namedEvent({ type: "message_delta", delta, usage: { output_tokens: outputTokens } }),
    namedEvent({ type: "message_stop" }),
  ];
}

function blockFrames(part: ModelAnswerPart, index: number, pieceLength: number): readonly string[] {
  const deltas = deltasOf(part, pieceLength).map((delta) => namedEvent({ type: "content_block_delta", index, delta }));
  const start = namedEvent({ type: "content_block_start", index, content_block: startOf(part, index) });
  const ping = index === 0 ? [namedEvent({ type: "ping" })] : [];
  return [start, ...ping, ...deltas, namedEvent({ type: "content_block_stop", index })];
}

function startOf(part: ModelAnswerPart, index: number): { readonly type: string; readonly [key: string]: unknown } {
  if (part.type === "text") return { type: "text", text: "" };
  if (part.type === "toolCall")
    return { type: "tool_use", id: part.id ?? `toolu_${index}`, name: part.name, input: {} };
  if (part.hidden === true) return { type: "redacted_thinking", data: part.data };
  return { type: "thinking", thinking: "", signature: "" };
}

function deltasOf(part: ModelAnswerPart, length: number): readonly object[] {
  if (part.type === "text") return pieces(part.text, length).map((text) => ({ type: "text_delta", text }));
  if (part.type === "toolCall") {
    return ["", ...pieces(part.input === "{}" ? "" : part.input, length)].map((text) => ({
      type: "input_json_delta",
      partial_json: text,
    }));
  }
  if (part.hidden === true) return [];
  const thinking = pieces(part.text, length).map((text) => ({ type: "thinking_delta", thinking: text }));
  return part.data === undefined ? thinking : [...thinking, { type: "signature_delta", signature: part.data }];
}
