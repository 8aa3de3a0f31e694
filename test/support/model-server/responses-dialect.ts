import type { ModelAnswer, ModelAnswerPart } from "../../../src/testing/index.js";
import { namedEvent, NO_USAGE, pieces } from "./frames.js";

type Event = { readonly type: string; readonly [key: string]: unknown };

/** OpenAI's Responses API: items that are added, grow and are done, and one event for the end of the whole. */
export function responsesFrames(answer: ModelAnswer, pieceLength: number): readonly string[] {
  const response = { id: "resp_01", object: "response", created_at: 1_700_000_000, model: "gpt-test", output: [] };
  const begun = { ...response, status: "in_progress", error: null, incomplete_details: null, usage: null };
  const events: readonly Event[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...answer.parts.flatMap((part, index) => itemEvents(part, index, pieceLength)),
    ...(answer.hangs === true ? [] : [endEvent(answer, begun)]),
  ];
  return events.map((event, index) => namedEvent({ ...event, sequence_number: index }));
}

function endEvent(answer: ModelAnswer, begun: object): Event {
  const { inputTokens, outputTokens, cacheReadTokens } = answer.usage ?? NO_USAGE;
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cacheReadTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
  const isCut = answer.reason === "maxTokens";
  const details = isCut ? { reason: "max_output_tokens" } : null;
  const type = isCut ? "incomplete" : "completed";
  return { type: `response.${type}`, response: { ...begun, status: type, incomplete_details: details, usage } };
}

function itemEvents(part: ModelAnswerPart, index: number, pieceLength: number): readonly Event[] {
  const at = { output_index: index };
  if (part.type === "toolCall") return callEvents(part, at, pieceLength);
  return part.type === "text" ? textEvents(part.text, at, pieceLength) : reasoningEvents(part, at, pieceLength);
}

interface Place {
  readonly output_index: number;
}

function textEvents(text: string, at: Place, pieceLength: number): readonly Event[] {
  const id = `msg_${at.output_index}`;
  const place = { item_id: id, ...at, content_index: 0 };
  const item = { id, type: "message", role: "assistant" };
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  return [
    { type: "response.output_item.added", ...at, item: { ...item, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
    ...pieces(text, pieceLength).map((delta) => ({
      type: "response.output_text.delta",
      ...place,
      delta,
      logprobs: [],
    })),
    { type: "response.output_text.done", ...place, text, logprobs: [] },
    { type: "response.content_part.done", ...place, part },
    { type: "response.output_item.done", ...at, item: { ...item, status: "completed", content: [part] } },
  ];
}

function reasoningEvents(
  { text, data, hidden }: Extract<ModelAnswerPart, { type: "thinking" }>,
  at: Place,
  pieceLength: number,
): readonly Event[] {
  const id = `rs_${at.output_index}`;
  const place = { item_id: id, ...at, summary_index: 0 };
  const item = { id, type: "reasoning" };
  const summary = hidden === true ? [] : [{ type: "summary_text", text }];
  const grown = [
    { type: "response.reasoning_summary_part.added", ...place, part: { type: "summary_text", text: "" } },
    ...pieces(text, pieceLength).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
    { type: "response.reasoning_summary_text.done", ...place, text },
    { type: "response.reasoning_summary_part.done", ...place, part: summary[0] },
  ];
  return [
    // What is encrypted here is not yet complete.
    { type: "response.output_item.added", ...at, item: { ...item, summary: [], encrypted_content: "begun" } },
    ...(hidden === true ? [] : grown),
    { type: "response.output_item.done", ...at, item: { ...item, summary, encrypted_content: data ?? null } },
  ];
}

function callEvents(
  { name, input, id }: Extract<ModelAnswerPart, { type: "toolCall" }>,
  at: Place,
  pieceLength: number,
): readonly Event[] {
  const item = { id: `fc_${at.output_index}`, type: "function_call", call_id: id ?? `call_${at.output_index}`, name };
  const place = { item_id: item.id, ...at };
  return [
    { type: "response.output_item.added", ...at, item: { ...item, status: "in_progress", arguments: "" } },
    ...pieces(input, pieceLength).map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, arguments: input },
    { type: "response.output_item.done", ...at, item: { ...item, status: "completed", arguments: input } },
  ];
}
