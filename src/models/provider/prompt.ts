import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { AssistantPart, AssistantToolCall, ContentBlock, ImageBlock } from "../../protocol/index.js";
import type { ModelMessage, ModelRequest } from "../contract.js";
import { CallIds } from "./call-ids.js";
import { dataOf, isJsonObject } from "./provider-data.js";
import type { Wire } from "./wire.js";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type PromptPart = Extract<LanguageModelV3Message, { role: "assistant" }>["content"][number];

/** The conversation as the provider's packages take it. */
export function buildPrompt({ system, messages }: ModelRequest, wire: Wire): LanguageModelV3Prompt {
  const ids = new CallIds();
  const prompt: LanguageModelV3Prompt = [];
  if (system !== undefined && system !== "") prompt.push({ role: "system", content: system.toWellFormed() });
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  messages.forEach((message, index) => {
    if (message.role === "user") prompt.push(userMessage(message.text));
    else if (message.role === "assistant") prompt.push(...assistantMessage(message, wire, ids, index > lastUser));
    else if (messages[index - 1]?.role !== "tool") prompt.push(...results(messages, index, wire, ids));
  });
  return wire.marksCache ? markCache(prompt, wire) : prompt;
}

function userMessage(text: string): LanguageModelV3Message {
  // Providers refuse a message without a word.
  return { role: "user", content: [{ type: "text", text: text.trim() === "" ? "(nothing)" : text.toWellFormed() }] };
}

/** None where nothing is left that a provider takes: it was cut off before it said anything, or while it thought. */
function assistantMessage(
  { content }: AssistantMessage,
  wire: Wire,
  ids: CallIds,
  isRecent: boolean,
): LanguageModelV3Message[] {
  const parts = content.flatMap((part) => assistantPart(part, wire, ids, isRecent));
  return parts.some(({ type }) => type !== "reasoning") ? [{ role: "assistant", content: parts }] : [];
}

function assistantPart(part: AssistantPart, wire: Wire, ids: CallIds, isRecent: boolean): PromptPart[] {
  const data = dataOf(part, wire.namespace);
  const options = data === undefined ? {} : { providerOptions: { [wire.namespace]: data } };
  if (part.type === "toolCall") {
    const toolCallId = ids.assign(part);
    return [{ type: "tool-call", toolCallId, toolName: part.name, input: readArguments(part), ...options }];
  }
  if (part.type === "text") {
    return part.text.trim() === "" ? [] : [{ type: "text", text: part.text.toWellFormed(), ...options }];
  }
  const isWanted =
    wire.thinking === "signed"
      ? data !== undefined
      : isRecent && part.text !== "" && (part.providerData === undefined || data !== undefined);
  // Signed text is sent as it is: it has to match its signature.
  return isWanted ? [{ type: "reasoning", text: part.text, ...options }] : [];
}

/** Wires want an object. What was no JSON, or no object, goes back as the text that it was, so the model sees its fault. */
function readArguments({ args, input }: AssistantToolCall): unknown {
  if (isJsonObject(args)) return args;
  const text = args === undefined ? input : JSON.stringify(args);
  return text === "" ? {} : { unparsed: text.toWellFormed() };
}

/** The results that follow one answer, and after them a message with their images where results take none. */
function results(messages: readonly ModelMessage[], start: number, wire: Wire, ids: CallIds): LanguageModelV3Message[] {
  const end = messages.findIndex(({ role }, index) => index > start && role !== "tool");
  const group = messages.slice(start, end === -1 ? undefined : end).filter((message) => message.role === "tool");
  const prompt: LanguageModelV3Message[] = [{ role: "tool", content: group.map((one) => result(one, wire, ids)) }];
  const images = wire.images === "message" ? group.flatMap(({ content }) => content.filter(isImage)) : [];
  if (images.length > 0) {
    const said = {
      type: "text",
      text: `The ${images.length === 1 ? "image" : "images"} of the results above:`,
    } as const;
    prompt.push({ role: "user", content: [said, ...images.map(imageFile)] });
  }
  return prompt;
}

function result(message: ToolMessage, wire: Wire, ids: CallIds): LanguageModelV3ToolResultPart {
  const { toolCallId, toolName, content, isError } = message;
  const named = { type: "tool-result", toolCallId: ids.find(toolCallId), toolName } as const;
  const blocks = content.flatMap((block) => resultBlock(block, wire));
  const hasImages = blocks.some(({ type }) => type === "image-data");
  if (!hasImages && (isError || blocks.length < 2 || wire.images !== "result")) {
    const value = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    return { ...named, output: { type: isError ? "error-text" : "text", value } };
  }
  // A result of several blocks cannot be marked as failed, so it says so itself.
  const mark = isError ? [{ type: "text", text: "[the call failed]" } as const] : [];
  return { ...named, output: { type: "content", value: [...mark, ...blocks] } };
}

type ResultBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image-data"; readonly data: string; readonly mediaType: string };

function resultBlock(block: ContentBlock, wire: Wire): ResultBlock[] {
  if (block.type === "text") return block.text === "" ? [] : [{ type: "text", text: block.text.toWellFormed() }];
  if (wire.images === "result") return [{ type: "image-data", data: block.data, mediaType: block.mediaType }];
  const fate = wire.images === "message" ? "follows the results" : "is not shown to this model";
  return [{ type: "text", text: `[an image (${block.mediaType}) ${fate}]` }];
}

function isImage(block: ContentBlock): block is ImageBlock {
  return block.type === "image";
}

function imageFile({ data, mediaType }: ImageBlock): LanguageModelV3FilePart {
  return { type: "file", data, mediaType };
}

/**
 * The instructions, the end, and the end of the request before: the provider then finds what it kept of the last request
 * even where many results came since. It allows four places.
 */
function markCache(prompt: LanguageModelV3Prompt, { namespace }: Wire): LanguageModelV3Prompt {
  const providerOptions: SharedV3ProviderOptions = {
    [namespace]: { cacheControl: { type: "ephemeral" } },
  };
  const ends = prompt.flatMap(({ role }, index) => (role === "system" || role === "assistant" ? [] : [index]));
  const marked = new Set([0, ...ends.slice(-2)]);
  return prompt.map((message, index) =>
    marked.has(index) && message.role !== "assistant" ? { ...message, providerOptions } : message,
  );
}
