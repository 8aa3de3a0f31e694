import type { Model } from "./contract.js";
import type { ModelOptions } from "./model-options.js";
import { setUpModel } from "./provider/setup.js";
import type { Wire } from "./provider/wire.js";

const wire: Wire = {
  namespace: "openai",
  thinking: "signed",
  images: "result",
  marksCache: false,
  needsTools: false,
  dataAtEnd: true,
};

/**
 * A model of OpenAI's, over its Responses API. Nothing is kept there: what the model thought comes back encrypted and is
 * sent again with each request. The package that speaks it is loaded at the first request.
 */
export function createOpenAIModel(model: string, options: ModelOptions = {}): Model {
  const { effort, showsThinking = false, environment } = options;
  return setUpModel(
    {
      id: `openai:${model}`,
      keyPlace: {
        provider: "OpenAI",
        variable: "OPENAI_API_KEY",
        commandVariable: "SPILLWAY_OPENAI_KEY_COMMAND",
        page: "https://platform.openai.com/api-keys",
      },
      wire,
      baseUrl: options.baseUrl ?? (environment?.["OPENAI_BASE_URL"] || "https://api.openai.com/v1"),
      settings: {
        store: false,
        ...(effort === undefined ? {} : { reasoningEffort: effort }),
        ...(showsThinking ? { reasoningSummary: "auto" } : {}),
      },
      async load({ key, baseUrl, fetch }) {
        const { createOpenAI } = await import("@ai-sdk/openai");
        return createOpenAI({ apiKey: key ?? "", baseURL: baseUrl, fetch }).responses(model);
      },
    },
    options,
  );
}
