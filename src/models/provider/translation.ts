import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Json, StopReason, Usage } from "../../protocol/index.js";
import { ModelError } from "../contract.js";
import type { ModelPart } from "../contract.js";
import { addCost } from "../prices.js";
import type { ModelPrice } from "../prices.js";
import { isJsonObject, mergeData } from "./provider-data.js";
import type { ProviderData } from "./provider-data.js";
import type { Wire } from "./wire.js";

/** Code units of text, thinking, input of calls and provider's data that one answer may have. */
export const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

type Part<Type extends LanguageModelV3StreamPart["type"]> = Extract<LanguageModelV3StreamPart, { type: Type }>;

interface Block {
  hasText: boolean;
  data: ProviderData | undefined;
}

interface Call {
  readonly number: number;
  hasInput: boolean;
}

/** Turns the parts of a provider's package into ours, one answer at a time. */
export class Translation {
  readonly #wire: Wire;
  readonly #price: ModelPrice | undefined;
  readonly #blocks = new Map<string, Block>();
  /** The block whose text was given last: data can be told of no other. */
  #current: Block | undefined;
  readonly #calls = new Map<string, Call>();
  /**
   * Ends that are told once the stream goes on: where it broke off, the package for Chat Completions ends every call before
   * it says so.
   */
  readonly #endedCalls: ModelPart[] = [];
  #callCount = 0;
  #length = 0;
  #isFinished = false;

  constructor(wire: Wire, price: ModelPrice | undefined) {
    this.#wire = wire;
    this.#price = price;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Throws what the provider gave as an error, and ModelErrors for an answer that is none. */
  *take(part: LanguageModelV3StreamPart): Generator<ModelPart> {
    if (!/^(tool-call|error|.*-end)$/.test(part.type)) yield* this.#endedCalls.splice(0);
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#openBlock(part);
        return;
      case "text-delta":
      case "reasoning-delta":
        yield* this.#grow(part);
        return;
      case "text-end":
      case "reasoning-end":
        yield* this.#closeBlock(part);
        return;
      case "tool-input-start":
        if (part.providerExecuted !== true) yield* this.#startCall(part.id, part.toolName);
        return;
      case "tool-input-delta":
        yield* this.#growCall(part.id, part.delta);
        return;
      case "tool-call":
        if (part.providerExecuted !== true) yield* this.#closeCall(part);
        return;
      case "finish":
        yield* this.#finish(part);
        return;
      case "error":
        if (!this.#isNewEvent(part.error)) throw isMissingEnd(part.error) ? brokenOff() : part.error;
        return;
      default:
      // Sources, warnings, and tools that the provider runs itself, none of which were asked for.
    }
  }

  #openBlock({ id, providerMetadata }: Part<"text-start" | "reasoning-start">): void {
    this.#blocks.set(id, { hasText: false, data: this.#early(providerMetadata) });
  }

  *#grow({ type, id, delta, providerMetadata }: Part<"text-delta" | "reasoning-delta">): Generator<ModelPart> {
    const block = this.#blocks.get(id) ?? { hasText: false, data: undefined };
    this.#blocks.set(id, block);
    block.data = mergeData(block.data, this.#early(providerMetadata));
    if (delta === "") return;
    this.#count(delta.length);
    block.hasText = true;
    this.#current = block;
    yield { type: type === "text-delta" ? "text" : "thinking", text: delta };
  }

  *#closeBlock({ type, id, providerMetadata }: Part<"text-end" | "reasoning-end">): Generator<ModelPart> {
    const block = this.#blocks.get(id);
    if (block === undefined) return;
    this.#blocks.delete(id);
    const data = mergeData(block.data, this.#own(providerMetadata));
    if (data === undefined) return;
    if (!block.hasText) {
      // Data of a text that is none says nothing; thinking may be hidden and is wanted back all the same.
      if (type === "text-end") return;
      yield { type: "thinking", text: "" };
    } else if (this.#current !== block) return;
    yield { type: "providerData", providerData: this.#wrap(data) };
    this.#current = undefined;
  }

  *#startCall(id: string, name: string): Generator<ModelPart> {
    if (this.#calls.has(id)) return;
    const call: Call = { number: this.#callCount, hasInput: false };
    this.#callCount += 1;
    this.#count(id.length + name.length);
    this.#calls.set(id, call);
    this.#current = undefined;
    yield { type: "toolCallStart", call: call.number, name, ...(id === "" ? {} : { providerCallId: id }) };
  }

  *#growCall(id: string, delta: string): Generator<ModelPart> {
    const call = this.#calls.get(id);
    if (call === undefined || delta === "") return;
    this.#count(delta.length);
    call.hasInput = true;
    yield { type: "toolCallInput", call: call.number, text: delta };
  }

  *#closeCall({ toolCallId: id, toolName, input, providerMetadata }: Part<"tool-call">): Generator<ModelPart> {
    yield* this.#startCall(id, toolName);
    const call = this.#calls.get(id);
    if (call === undefined) return;
    // Servers that do not stream the input state it whole, at the end.
    if (!call.hasInput) yield* this.#growCall(id, input);
    this.#calls.delete(id);
    const data = this.#own(providerMetadata);
    const end = { type: "toolCallEnd", call: call.number } as const;
    this.#endedCalls.push(data === undefined ? end : { ...end, providerData: this.#wrap(data) });
  }

  *#finish({ usage, finishReason }: Part<"finish">): Generator<ModelPart> {
    const known = addCost(readUsage(usage), this.#price);
    if (Object.keys(known).length > 0) yield { type: "usage", usage: known };
    const reason = readReason(finishReason, this.#callCount > 0);
    for (const { number } of this.#calls.values()) yield { type: "toolCallEnd", call: number };
    this.#isFinished = true;
    yield { type: "finish", reason };
  }

  /** Whether the package refused an event for being of a type that came into the protocol later. */
  #isNewEvent(error: unknown): boolean {
    const { knownEvents } = this.#wire;
    const event = error instanceof Error && "value" in error ? error.value : undefined;
    if (knownEvents === undefined || !isJsonObject(event)) return false;
    return typeof event["type"] === "string" && !knownEvents.has(event["type"]);
  }

  #early(metadata: Part<"text-start">["providerMetadata"]): ProviderData | undefined {
    return this.#wire.dataAtEnd ? undefined : this.#own(metadata);
  }

  #own(metadata: Part<"text-start">["providerMetadata"]): ProviderData | undefined {
    return mergeData(undefined, metadata?.[this.#wire.namespace]);
  }

  #wrap(data: ProviderData): Json {
    this.#count(JSON.stringify(data).length);
    return { [this.#wire.namespace]: data };
  }

  #count(length: number): void {
    this.#length += length;
    if (this.#length <= MAX_ANSWER_LENGTH) return;
    throw new ModelError("bad_response", `The answer is longer than ${MAX_ANSWER_LENGTH} characters and was cut off.`);
  }
}

/** A stream that ended before the provider said why it stopped broke off. */
export function brokenOff(): ModelError {
  const message = "The provider's stream ended in the middle of the answer.";
  return new ModelError("connection", message, { retryable: true });
}

/** How the package for Chat Completions says that a stream ended without its end. */
function isMissingEnd(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== "AI_InvalidResponseDataError") return false;
  return "data" in error && error.data === undefined;
}

function readReason({ unified, raw }: LanguageModelV3FinishReason, hasCalls: boolean): StopReason {
  if (unified === "length") return "maxTokens";
  if (unified === "content-filter") {
    throw new ModelError("refused", `The provider refuses to answer this${raw === undefined ? "" : ` (${raw})`}.`);
  }
  if (unified === "error" || (unified === "other" && raw === undefined)) throw brokenOff();
  // Some servers say `stop` after calls, and `tool_calls` without any.
  return hasCalls ? "toolCalls" : "end";
}

function readUsage({ inputTokens, outputTokens }: LanguageModelV3Usage): Usage {
  const usage: Usage = {};
  set("inputTokens", inputTokens.total);
  set("outputTokens", outputTokens.total);
  set("cacheReadTokens", inputTokens.cacheRead);
  set("cacheWriteTokens", inputTokens.cacheWrite);
  return usage;

  function set(name: keyof Usage, amount: number | undefined): void {
    if (amount !== undefined && Number.isFinite(amount) && amount >= 0) usage[name] = amount;
  }
}
