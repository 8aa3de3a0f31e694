import type { Json } from "../protocol/index.js";
import type { Model } from "./contract.js";
import type { ModelOptions } from "./model-options.js";
import { setUpModel } from "./provider/setup.js";
import type { Wire } from "./provider/wire.js";

const wire: Wire = {
  namespace: "anthropic",
  thinking: "signed",
  images: "result",
  marksCache: true,
  needsTools: true,
  dataAtEnd: false,
  knownEvents: new Set([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    "error",
  ]),
};

/** A model of Anthropic's, over its Messages API. The package that speaks it is loaded at the first request. */
export function createAnthropicModel(model: string, options: ModelOptions = {}): Model {
  return setUpModel(
    {
      id: `anthropic:${model}`,
      keyPlace: {
        provider: "Anthropic",
        variable: "ANTHROPIC_API_KEY",
        commandVariable: "SPILLWAY_ANTHROPIC_KEY_COMMAND",
        page: "https://console.anthropic.com/settings/keys",
      },
      wire,
      baseUrl: options.baseUrl ?? readBaseUrl(options) ?? "https://api.anthropic.com/v1",
      settings: { ...thinkingSettings(options) },
      async load({ key, baseUrl, fetch }) {
        const { createAnthropic } = await import("@ai-sdk/anthropic");
        return createAnthropic({ apiKey: key ?? "", baseURL: baseUrl, fetch })(model);
      },
    },
    options,
  );
}

/** The variable holds the address without its version, as Anthropic's own programs read it. */
function readBaseUrl({ environment }: ModelOptions): string | undefined {
  const address = environment?.["ANTHROPIC_BASE_URL"]?.replace(/\/+$/, "") ?? "";
  if (address === "") return undefined;
  return address.endsWith("/v1") ? address : `${address}/v1`;
}

function thinkingSettings({ effort, thinkingTokens, showsThinking = true }: ModelOptions): Record<string, Json> {
  if (thinkingTokens !== undefined) return { thinking: { type: "enabled", budgetTokens: thinkingTokens } };
  if (effort === undefined) return {};
  return { effort, thinking: { type: "adaptive", display: showsThinking ? "summarized" : "omitted" } };
}
