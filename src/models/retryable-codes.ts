import type { ModelErrorCode } from "./contract.js";

/** Of errors with these codes the same request may succeed later, unless whoever throws one knows better. */
export const RETRYABLE_CODES: ReadonlySet<ModelErrorCode> = new Set([
  "rate_limited",
  "overloaded",
  "provider_failed",
  "bad_response",
  "connection",
]);
