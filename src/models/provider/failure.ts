import { ModelError } from "../contract.js";
import type { ModelErrorCode } from "../contract.js";
import { RETRYABLE_CODES } from "../retryable-codes.js";
import { isContextLimit } from "./context-limit.js";
import { readRetryAfter } from "./retry-after.js";
import { readSaidError } from "./said-error.js";
import type { SaidError } from "./said-error.js";

export interface FailureContext {
  /** Such as `Anthropic` or `localhost:11434`. */
  readonly provider: string;
  /** The id of the model that was asked. */
  readonly model: string;
  /** What is not to be in any message. */
  readonly key: string | undefined;
  /** What to do about a key that is refused. */
  readonly keyAdvice: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Of a provider's own words; the rest is cut. */
export const MAX_PROVIDER_MESSAGE_LENGTH = 2_000;

/**
 * Makes of whatever a provider's package threw an error of ours. It never holds the original as its cause: that one has the
 * whole request in it.
 */
export function describeFailure(thrown: unknown, context: FailureContext): ModelError {
  const own = findOwn(thrown);
  if (own !== undefined) return own;
  const said = readSaidError(thrown);
  return said === undefined ? describeTransport(thrown, context) : describeSaid(said, context);
}

function describeSaid(said: SaidError, context: FailureContext): ModelError {
  const code = classify(said);
  const retryAfterMs = readRetryAfter(said.headers, context.now);
  const marks = [said.status, ...said.names].filter((mark) => mark !== undefined).join(", ");
  const words = hide(said.message, context.key) || "no reason";
  const message = [
    `${context.provider} answers${marks === "" ? "" : ` (${marks})`}: ${/[.!?]$/.test(words) ? words : `${words}.`}`,
    ...adviceFor(code, context),
  ].join(" ");
  // The header with which Anthropic and OpenAI tell their own clients not to try again.
  const retryable = RETRYABLE_CODES.has(code) && said.headers["x-should-retry"] !== "false";
  return new ModelError(code, message, { retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/** Some send 400 for what is no fault of the request, and some 500 for what is; their own words come first. */
function classify({ status, message, names }: SaidError): ModelErrorCode {
  const has = (...known: string[]): boolean => names.some((name) => known.includes(name));
  if (isContextLimit(message, names) || status === 413) return "context_too_long";
  if (status === 402 || has(...OUT_OF_MONEY) || /credit balance is too low/i.test(message)) return "quota_exceeded";
  if (status === 401 || status === 403 || has(...UNAUTHORIZED)) return "unauthorized";
  if (has("content_filter", "content_policy_violation", "cyber_policy_violation")) return "refused";
  if (status === 529 || status === 503 || has("overloaded_error", "server_is_overloaded", "slow_down"))
    return "overloaded";
  if (status === 429 || has("rate_limit_error", "rate_limit_exceeded", "too_many_requests")) return "rate_limited";
  if (has("model_not_found", "not_found_error") || status === 404) return "model_not_found";
  if (status === 408 || status === 409 || (status !== undefined && status >= 500)) return "provider_failed";
  if (status !== undefined || has("invalid_request_error", "invalid_prompt", "400")) return "bad_request";
  return "provider_failed";
}

const OUT_OF_MONEY = [
  "billing_error",
  "credit_balance_exhausted",
  "enforced_spend_limit_reached",
  "insufficient_quota",
];
const UNAUTHORIZED = ["authentication_error", "permission_error", "invalid_api_key", "401", "403"];

function adviceFor(code: ModelErrorCode, { keyAdvice, model }: FailureContext): readonly string[] {
  if (code === "unauthorized") return [keyAdvice];
  return code === "model_not_found" ? [`Check the name ${model}.`] : [];
}

function describeTransport(thrown: unknown, { provider, key }: FailureContext): ModelError {
  const names = namesOfChain(thrown);
  if (names.some((name) => /JSONParse|TypeValidation|InvalidResponseData/.test(name))) {
    const said = `${provider} sent what is not its protocol: ${hide(messageOfRoot(thrown), key)}`;
    return new ModelError("bad_response", said, { retryable: true });
  }
  const why = hide(messageOfRoot(thrown), key);
  if (!isOfNetwork(thrown)) return new ModelError("bad_request", `${provider} could not be asked: ${why}.`);
  return new ModelError("connection", `The connection to ${provider} failed: ${why}.`, {
    retryable: !isLasting(thrown),
  });
}

/** What fetch says of an address that it never asks, and codes of a certificate that will not be another next time. */
const LASTING = /^(bad port|unknown scheme|Invalid URL)$|^ERR_(INVALID_URL|TLS_)|CERT|UNABLE_TO_VERIFY/;

function isLasting(thrown: unknown): boolean {
  return chainOf(thrown).some(
    (error) =>
      LASTING.test(error.message) || ("code" in error && typeof error.code === "string" && LASTING.test(error.code)),
  );
}

/** One that this layer threw, from within a fetch for example, comes back inside of others. */
function findOwn(thrown: unknown): ModelError | undefined {
  return chainOf(thrown).find((error) => error instanceof ModelError);
}

/** Anything else is a fault that comes again, such as what a package does not support. */
function isOfNetwork(thrown: unknown): boolean {
  const isCut = ({ message }: Error): boolean => message === "fetch failed" || message === "terminated";
  return chainOf(thrown).some(
    (error) => isCut(error) || error.name === "AI_APICallError" || ("code" in error && typeof error.code === "string"),
  );
}

function namesOfChain(thrown: unknown): readonly string[] {
  return chainOf(thrown).map(({ name }) => name);
}

/** The innermost message, without what it quotes: packages put the whole chunk that they could not read into theirs. */
function messageOfRoot(thrown: unknown): string {
  const root = chainOf(thrown).at(-1);
  const code = root !== undefined && "code" in root ? String(root.code) : undefined;
  const message = root === undefined ? String(thrown) : root.message;
  return message || code || "no reason";
}

const MAX_CHAIN = 8;

function chainOf(thrown: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let error = thrown; error instanceof Error && chain.length < MAX_CHAIN; error = error.cause) chain.push(error);
  return chain;
}

function hide(text: string, key: string | undefined): string {
  const hidden = key === undefined ? text : text.replaceAll(key, "[key]");
  const cut = hidden.length > MAX_PROVIDER_MESSAGE_LENGTH;
  return cut ? `${hidden.slice(0, MAX_PROVIDER_MESSAGE_LENGTH).toWellFormed()}…` : hidden.trim();
}
