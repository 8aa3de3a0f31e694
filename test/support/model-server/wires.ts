import { createAnthropicModel, createOpenAIModel, createServerModel } from "../../../src/models/index.js";
import type { Model, ModelOptions } from "../../../src/models/index.js";

/** Each adapter, asked at an address of our own. */
export const wires: readonly (readonly [name: string, create: (baseUrl: string, options?: ModelOptions) => Model])[] = [
  ["Anthropic", (baseUrl, options) => createAnthropicModel("claude-test", { key: KEY, ...options, baseUrl })],
  ["OpenAI", (baseUrl, options) => createOpenAIModel("gpt-5-test", { key: KEY, ...options, baseUrl })],
  ["a server", (baseUrl, options) => createServerModel(baseUrl, "local", { key: KEY, ...options })],
];

export const KEY = "sk-canary-models-0123456789";
