import type {
  JSONSchema7,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
} from "@ai-sdk/provider";
import type { Json } from "../../protocol/index.js";
import type { Model, ModelPart, ModelRequest } from "../contract.js";
import type { KeySource } from "../key/key.js";
import type { ModelPrice } from "../prices.js";
import { untilAborted } from "../until-aborted.js";
import { describeFailure } from "./failure.js";
import { buildPrompt } from "./prompt.js";
import { isJsonObject } from "./provider-data.js";
import { brokenOff, Translation } from "./translation.js";
import { WholeCharacters } from "./whole-characters.js";
import type { Wire } from "./wire.js";

export interface ProviderModelOptions {
  readonly id: string;
  /** Such as `Anthropic`, for messages. */
  readonly provider: string;
  readonly wire: Wire;
  readonly key: KeySource;
  /** Loads the provider's package, at the first request. */
  readonly load: (key: string | undefined) => Promise<LanguageModelV3>;
  /** What the provider's package takes beside the request, under its own name. */
  readonly settings: Readonly<Record<string, Json>>;
  readonly price: ModelPrice | undefined;
  readonly contextTokens: number | undefined;
  readonly maxOutputTokens: number | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** A model that is asked through a provider's package: one request for each answer, and every error one of ours. */
export function createProviderModel(options: ProviderModelOptions): Model {
  const { id, contextTokens } = options;
  return { id, ...(contextTokens === undefined ? {} : { contextTokens }), stream };

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    signal.throwIfAborted();
    const key = await untilAborted(options.key.read(signal), signal);
    const connection = new AbortController();
    const stop = (): void => connection.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      yield* ask(options, request, key, connection.signal);
    } catch (thrown) {
      signal.throwIfAborted();
      const { provider, id: model, now } = options;
      const error = describeFailure(thrown, { provider, model, key, keyAdvice: options.key.advice, now: now() });
      if (error.code === "unauthorized") options.key.forget();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
      // Whoever stops reading early lets go of the connection too.
      connection.abort();
    }
  }
}

async function* ask(
  options: ProviderModelOptions,
  request: ModelRequest,
  key: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const model = await untilAborted(options.load(key), signal);
  const { stream } = await untilAborted(model.doStream(buildCall(options, request, signal)), signal);
  const reader = stream.getReader();
  const translation = new Translation(options.wire, options.price);
  const characters = new WholeCharacters();
  try {
    while (!translation.isFinished) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) throw brokenOff();
      for (const part of translation.take(value)) yield* characters.take(part);
    }
  } finally {
    // Not awaited: the connection is let go of by its signal.
    reader.cancel().catch(() => undefined);
  }
}

function buildCall(
  { wire, settings, maxOutputTokens }: ProviderModelOptions,
  request: ModelRequest,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const limit = request.maxOutputTokens ?? maxOutputTokens;
  const tools = buildTools(request, wire);
  return {
    prompt: buildPrompt(request, wire),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length > 0 && request.tools.length === 0 ? { toolChoice: { type: "none" } } : {}),
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
    providerOptions: { [wire.namespace]: settings },
    abortSignal,
  };
}

/** Where a conversation with calls is refused unless tools are stated, the tools that were called, without a use. */
function buildTools({ tools, messages }: ModelRequest, wire: Wire): LanguageModelV3FunctionTool[] {
  if (tools.length > 0 || !wire.needsTools) {
    return tools.map(({ name, description, parameters }) => defineTool(name, description, parameters));
  }
  const called = messages.flatMap((message) => (message.role === "tool" ? [message.toolName] : []));
  return [...new Set(called)].map((name) => defineTool(name, "Not available any more.", { type: "object" }));
}

function defineTool(name: string, description: string, parameters: Json): LanguageModelV3FunctionTool {
  const inputSchema = (isJsonObject(parameters) ? parameters : { type: "object" }) as JSONSchema7;
  return { type: "function", name, description, inputSchema };
}
