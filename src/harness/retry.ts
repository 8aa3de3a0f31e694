import { ModelError } from "../models/index.js";
import type { Limits } from "./limits.js";

/** What is to be done about a model that failed: wait so long and ask again, or give up with these words. */
export type RetryPlan = { readonly delayMs: number } | { readonly giveUp: string };

/** `failures`: how many tries of the same request have failed, this one included. `random` is from 0 up to 1. */
export function planRetry(failure: unknown, failures: number, limits: Limits, random: number): RetryPlan | undefined {
  if (!(failure instanceof ModelError) || !failure.retryable) return undefined;
  if (failures >= limits.maxAttempts) {
    return failures === 1 ? undefined : { giveUp: `${failure.message} (asked ${failures} times)` };
  }
  const asked = failure.retryAfterMs ?? 0;
  if (asked > limits.maxRetryAfterMs) {
    return {
      giveUp: `${failure.message} The model asks to be left alone for ${seconds(asked)} s; the harness waits for at most ${seconds(limits.maxRetryAfterMs)} s.`,
    };
  }
  const backoff = Math.min(limits.maxDelayMs, limits.baseDelayMs * 2 ** (failures - 1));
  // Between half and all of it, so that many who failed together do not come back together.
  return { delayMs: Math.round(Math.max(asked, backoff * (0.5 + random / 2))) };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
