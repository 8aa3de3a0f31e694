import { expect, test } from "vitest";
import { ModelError } from "../contract.js";
import { describeFailure, MAX_PROVIDER_MESSAGE_LENGTH } from "./failure.js";

const KEY = "sk-canary-0123";
const context = { provider: "Acme", model: "acme:x", key: KEY, keyAdvice: "Set ACME_KEY.", now: 0 };

function refusal(statusCode: number, body: unknown, responseHeaders: Record<string, string> = {}): Error {
  const responseBody = typeof body === "string" ? body : JSON.stringify(body);
  return Object.assign(new Error("Bad Request"), { statusCode, responseBody, responseHeaders });
}

test.each([
  ["Anthropic", 400, { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" }],
  ["Anthropic, with the answer", 400, { message: "input length and `max_tokens` exceed context limit: 1 + 2 > 3" }],
  ["Anthropic, in bytes", 413, { type: "request_too_large", message: "Request exceeds the maximum size" }],
  ["OpenAI", 400, { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." }],
  [
    "vLLM",
    400,
    { message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens", code: 400 },
  ],
  [
    "llama.cpp",
    500,
    { code: 500, type: "exceed_context_size_error", message: "the request exceeds the available context size" },
  ],
  ["LM Studio", 400, "Trying to keep the first 8000 tokens when context the overflows."],
  ["Ollama", 400, { message: "prompt too long; exceeded max context length by 12 tokens" }],
  [
    "Gemini",
    400,
    { message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)." },
  ],
])("[M2] a request that is more than the model holds is told as that: %s", (_name, status, error) => {
  expect(describeFailure(refusal(status, { error }), context)).toMatchObject({
    code: "context_too_long",
    retryable: false,
  });
});

test.each([
  [429, { error: { type: "insufficient_quota", code: "insufficient_quota", message: "You exceeded your quota" } }],
  [429, { error: { type: "rate_limit_error", message: "x", details: { error_code: "enforced_spend_limit_reached" } } }],
  [400, { error: { type: "invalid_request_error", message: "Your credit balance is too low to access the API." } }],
  [402, {}],
])("[M2] where the money is gone, waiting does not help: %i", (status, body) => {
  expect(describeFailure(refusal(status, body), context)).toMatchObject({ code: "quota_exceeded", retryable: false });
});

test.each([
  [{ error: { message: "Wrong", type: "odd", code: 7 } }, "Acme answers (418, odd, 7): Wrong."],
  [{ type: "odd", message: "Wrong!" }, "Acme answers (418, odd): Wrong!"],
  [{ detail: "Wrong" }, "Acme answers (418): Wrong."],
  ["plain words", "Acme answers (418): plain words."],
  ["<html>a page</html>", "Acme answers (418): Bad Request."],
  ["", "Acme answers (418): Bad Request."],
])("[M2] the message has the provider's own words, whatever their shape: %j", (body, message) => {
  expect(describeFailure(refusal(418, body), context)).toMatchObject({ code: "bad_request", message });
});

test("[M2] a provider that says not to try again is obeyed, one that says to is not", () => {
  const overloaded = refusal(529, {}, { "x-should-retry": "false", "Retry-After": "5" });
  const tooLong = refusal(400, { error: { message: "prompt is too long" } }, { "x-should-retry": "true" });

  expect(describeFailure(overloaded, context)).toMatchObject({
    code: "overloaded",
    retryable: false,
    retryAfterMs: 5_000,
  });
  expect(describeFailure(tooLong, context)).toMatchObject({ retryable: false });
});

test("[M2] a refused key is told with what to do about it", () => {
  const { code, message } = describeFailure(refusal(403, { error: { message: "no" } }), context);

  expect([code, message]).toEqual(["unauthorized", "Acme answers (403): no. Set ACME_KEY."]);
});

test("[M7] the key is in no message, also where it is cut, and the request is not kept with the error", () => {
  const padding = "x".repeat(MAX_PROVIDER_MESSAGE_LENGTH - 5);
  const said = refusal(400, { error: { message: `${padding}${KEY} and ${KEY}` } });
  const thrown = Object.assign(new TypeError(`header ${KEY} is bad`), { requestBodyValues: { messages: ["private"] } });

  for (const failure of [describeFailure(said, context), describeFailure(thrown, context)]) {
    expect(failure.message).not.toContain(KEY.slice(0, 8));
    expect(failure.message.length).toBeLessThan(MAX_PROVIDER_MESSAGE_LENGTH + 200);
    expect(Object.keys(failure)).toEqual(["name", "code", "retryable", "retryAfterMs"]);
    expect(failure.cause).toBeUndefined();
  }
});

test("[M2] an error of this layer comes out as it is, however it was wrapped", () => {
  const own = new ModelError("bad_response", "too much");
  const wrapped = new Error("Failed to process", { cause: new TypeError("terminated", { cause: own }) });

  expect(describeFailure(wrapped, context)).toBe(own);
});

test("[M2] a failure of the connection names what is at its bottom, and a fault of our own is not tried again", () => {
  const refused = Object.assign(new Error(""), { code: "ECONNREFUSED" });

  expect(describeFailure(new TypeError("fetch failed", { cause: refused }), context)).toMatchObject({
    code: "connection",
    retryable: true,
    message: "The connection to Acme failed: ECONNREFUSED.",
  });
  expect(describeFailure(new TypeError("x is not a function"), context)).toMatchObject({
    code: "bad_request",
    retryable: false,
    message: "Acme could not be asked: x is not a function.",
  });
});

test.each([
  new Error("bad port"),
  new Error("unknown scheme"),
  Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" }),
  Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
  Object.assign(new Error("Hostname/IP does not match"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" }),
])("[M2] what will fail in the same way is not tried again: $message", (cause) => {
  expect(describeFailure(new TypeError("fetch failed", { cause }), context)).toMatchObject({
    code: "connection",
    retryable: false,
  });
});
