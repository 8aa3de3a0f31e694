import type { Model } from "./contract.js";
import type { ModelOptions } from "./model-options.js";
import { checkBaseUrl } from "./provider/base-url.js";
import { setUpModel } from "./provider/setup.js";
import type { Wire } from "./provider/wire.js";

const wire: Wire = {
  // Under this name the package takes the signatures that Gemini wants back with its calls.
  namespace: "google",
  thinking: "plain",
  images: "message",
  marksCache: false,
  needsTools: false,
  dataAtEnd: false,
};

/**
 * A model of any server that speaks OpenAI's Chat Completions: Ollama, llama.cpp, vLLM, LM Studio, and many that are paid
 * for. `baseUrl` is the part of the address before `/chat/completions`. The package that speaks it is loaded at the first
 * request.
 */
export function createServerModel(baseUrl: string, model: string, options: ModelOptions = {}): Model {
  const address = checkBaseUrl(baseUrl);
  return setUpModel(
    {
      id: `${address}#${model}`,
      keyPlace: {
        provider: new URL(address).host,
        variable: "SPILLWAY_SERVER_KEY",
        commandVariable: "SPILLWAY_SERVER_KEY_COMMAND",
      },
      wire,
      baseUrl: address,
      settings: options.effort === undefined ? {} : { reasoningEffort: options.effort },
      async load({ key, baseUrl, fetch }) {
        const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
        const apiKey = key === undefined ? {} : { apiKey: key };
        return createOpenAICompatible({ name: "google", baseURL: baseUrl, fetch, includeUsage: true, ...apiKey })(
          model,
        );
      },
    },
    options,
  );
}
