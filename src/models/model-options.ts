import type { ModelPrices } from "./prices.js";

/** What every model of a provider can be told; all of it is optional. */
export interface ModelOptions {
  /** Where keys, and addresses other than the usual ones, are looked up. Default: nowhere. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The key itself. It goes before the environment's. */
  readonly key?: string | undefined;
  /** Another address of the same protocol, such as a gateway's. It goes before the environment's. */
  readonly baseUrl?: string | undefined;
  /** Lets the key and the conversation go to another machine in the clear. Default false. */
  readonly allowPlainHttp?: boolean | undefined;
  /** By model id; see `prices.ts`. */
  readonly prices?: ModelPrices | undefined;
  /** Most tokens of a request and its answer together. */
  readonly contextTokens?: number | undefined;
  /** Most tokens of an answer. Default: what the provider gives. */
  readonly maxOutputTokens?: number | undefined;
  /** How much the model is to think; only for models that take it. Default: the provider's. */
  readonly effort?: ModelEffort | undefined;
  /** Most tokens of thinking before an answer, for Anthropic's models that take a budget and no effort. */
  readonly thinkingTokens?: number | undefined;
  /** Whether what a model thinks is asked for as text. Default: where it is free of conditions, so not with OpenAI. */
  readonly showsThinking?: boolean | undefined;
  /** Whether images of tools' results are passed on. Default true. */
  readonly images?: boolean | undefined;
  /** Default: that of Node. */
  readonly fetch?: typeof fetch | undefined;
  /** Unix milliseconds. Default: the system's. */
  readonly now?: (() => number) | undefined;
}

export type ModelEffort = "low" | "medium" | "high";
