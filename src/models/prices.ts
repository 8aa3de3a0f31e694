import type { Usage } from "../protocol/index.js";
import { ModelError } from "./contract.js";

/** US dollars for a million tokens each. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that a cache served. Default: as other input. */
  readonly cacheRead?: number | undefined;
  /** Of input that was put into a cache. Default: as other input. */
  readonly cacheWrite?: number | undefined;
}

/** By the model's id, such as `openai:…`. None is built in: prices change, and a stale one is a wrong one. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

const TOKENS_OF_A_PRICE = 1_000_000;

/** The price of a model, if one is stated. Throws `invalid_model` for one that is no amount. */
export function findPrice(prices: ModelPrices | undefined, id: string): ModelPrice | undefined {
  const price = prices !== undefined && Object.hasOwn(prices, id) ? prices[id] : undefined;
  for (const [name, amount] of Object.entries(price ?? {})) {
    if (amount === undefined || (Number.isFinite(amount) && amount >= 0)) continue;
    throw new ModelError(
      "invalid_model",
      `The price "${name}" of ${id} is US dollars for a million tokens, 0 or more.`,
    );
  }
  return price;
}

/** Adds what it cost, where the price and all amounts that it needs are known. */
export function addCost(usage: Usage, price: ModelPrice | undefined): Usage {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return usage;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const plainTokens = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const sum = plainTokens * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output;
  return { ...usage, costUsd: sum / TOKENS_OF_A_PRICE };
}
