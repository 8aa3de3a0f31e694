import type { ModelAnswer, ModelAnswerPart } from "../../../src/testing/index.js";
import { dataEvent, hasCalls, NO_USAGE, pieces } from "./frames.js";

/** Chat Completions as OpenAI, Ollama, llama.cpp, vLLM and LM Studio stream them, with thinking as `reasoning_content`. */
export function chatFrames(answer: ModelAnswer, pieceLength: number): readonly string[] {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "local" };
  const chunk = (delta: object, reason: string | null = null): string =>
    dataEvent({ ...head, choices: [{ index: 0, delta, finish_reason: reason }] });
  let calls = -1;
  const deltas = answer.parts.flatMap((part) => {
    if (part.type === "toolCall") calls += 1;
    return deltasOf(part, calls, pieceLength);
  });
  const frames = [chunk({ role: "assistant", content: "" }), ...deltas.map((delta) => chunk(delta))];
  if (answer.hangs === true) return frames;
  const { inputTokens, outputTokens, cacheReadTokens } = answer.usage ?? NO_USAGE;
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
  };
  const reason = answer.reason === "maxTokens" ? "length" : hasCalls(answer) ? "tool_calls" : "stop";
  return [...frames, chunk({}, reason), dataEvent({ ...head, choices: [], usage }), "data: [DONE]\n\n"];
}

function deltasOf(part: ModelAnswerPart, index: number, length: number): readonly object[] {
  if (part.type === "text") return pieces(part.text, length).map((content) => ({ content }));
  if (part.type === "thinking") return pieces(part.text, length).map((text) => ({ reasoning_content: text }));
  const named = {
    index,
    id: part.id ?? `call_${index}`,
    type: "function",
    function: { name: part.name, arguments: "" },
  };
  const inputs = pieces(part.input, length).map((text) => ({ index, function: { arguments: text } }));
  return [named, ...inputs].map((call) => ({ tool_calls: [call] }));
}
