import type { HarnessOptions } from "./contract.js";
import { HarnessError } from "./errors.js";
import { DEFAULT_BASE_ELEMENTS, DEFAULT_DURABLE_INTERVAL_MS, DEFAULT_DURABLE_MAX_BYTES } from "./journal.js";
import type { Durability } from "./journal.js";

/** What bounds an operation; options with their defaults filled in. */
export interface Limits {
  readonly maxParallelCalls: number;
  readonly maxTurns: number;
  readonly maxAttempts: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly maxRetryAfterMs: number;
  readonly stallMs: number;
  /** Tokens that a request and its answer may hold; `undefined` where nobody knows. */
  readonly contextTokens: number | undefined;
  readonly summarizeAt: number;
  readonly keepAnswers: number;
}

export const DEFAULT_MAX_PARALLEL_CALLS = 8;
export const DEFAULT_MAX_TURNS = 500;
export const DEFAULT_MAX_ATTEMPTS = 6;
export const DEFAULT_BASE_DELAY_MS = 1_000;
export const DEFAULT_MAX_DELAY_MS = 60_000;
export const DEFAULT_MAX_RETRY_AFTER_MS = 300_000;
export const DEFAULT_STALL_MS = 180_000;
export const DEFAULT_SUMMARIZE_AT = 0.8;
export const DEFAULT_KEEP_ANSWERS = 3;

export function readLimits({ retry, context, model, ...options }: HarnessOptions): Limits {
  const contextTokens = context?.maxTokens ?? model.contextTokens;
  return {
    maxParallelCalls: checkCount("maxParallelCalls", options.maxParallelCalls ?? DEFAULT_MAX_PARALLEL_CALLS),
    maxTurns: checkCount("maxTurns", options.maxTurns ?? DEFAULT_MAX_TURNS),
    maxAttempts: checkCount("retry.maxAttempts", retry?.maxAttempts ?? DEFAULT_MAX_ATTEMPTS),
    baseDelayMs: checkCount("retry.baseDelayMs", retry?.baseDelayMs ?? DEFAULT_BASE_DELAY_MS),
    maxDelayMs: checkCount("retry.maxDelayMs", retry?.maxDelayMs ?? DEFAULT_MAX_DELAY_MS),
    maxRetryAfterMs: checkCount("retry.maxRetryAfterMs", retry?.maxRetryAfterMs ?? DEFAULT_MAX_RETRY_AFTER_MS),
    stallMs: checkCount("retry.stallMs", retry?.stallMs ?? DEFAULT_STALL_MS),
    contextTokens: contextTokens === undefined ? undefined : checkCount("context.maxTokens", contextTokens),
    summarizeAt: checkShare("context.summarizeAt", context?.summarizeAt ?? DEFAULT_SUMMARIZE_AT),
    keepAnswers: checkCount("context.keepAnswers", context?.keepAnswers ?? DEFAULT_KEEP_ANSWERS),
  };
}

export function readDurability({ durability }: HarnessOptions): Durability {
  return {
    intervalMs: checkCount("durability.intervalMs", durability?.intervalMs ?? DEFAULT_DURABLE_INTERVAL_MS),
    maxBytes: checkCount("durability.maxBytes", durability?.maxBytes ?? DEFAULT_DURABLE_MAX_BYTES),
    baseElements: checkCount("durability.baseElements", durability?.baseElements ?? DEFAULT_BASE_ELEMENTS),
  };
}

function checkCount(option: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new HarnessError("invalid_argument", `${option} is a whole number of at least 1, not ${value}.`);
}

function checkShare(option: string, value: number): number {
  if (value > 0 && value <= 1) return value;
  throw new HarnessError("invalid_argument", `${option} is more than 0 and at most 1, not ${value}.`);
}
