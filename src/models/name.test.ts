import { expect, test } from "vitest";
import { formatModelName, MAX_MODEL_NAME_LENGTH, parseModelName } from "./name.js";

test.each([
  ["anthropic:claude-x", { kind: "anthropic", model: "claude-x" }],
  ["openai:gpt-x:mini", { kind: "openai", model: "gpt-x:mini" }],
  ["http://localhost:11434/v1#qwen3:8b", { kind: "server", baseUrl: "http://localhost:11434/v1", model: "qwen3:8b" }],
  [
    "https://example.com/api/v1/#org/model",
    { kind: "server", baseUrl: "https://example.com/api/v1", model: "org/model" },
  ],
  ["script:a b.json", { kind: "script", path: "a b.json" }],
])("[M6] %s names a model", (name, expected) => {
  expect(parseModelName(name)).toEqual(expected);
  expect(parseModelName(formatModelName(parseModelName(name)))).toEqual(expected);
});

test.each([
  ["claude-x", "script:FILE"],
  ["", "anthropic:MODEL"],
  ["mistral:large", "openai:MODEL"],
  ["anthropic:", "anthropic:MODEL"],
  ["openai:with space", "ASCII without spaces"],
  [`openai:${"x".repeat(MAX_MODEL_NAME_LENGTH + 1)}`, `${MAX_MODEL_NAME_LENGTH} characters`],
  ["http://localhost:11434/v1", "http://localhost:11434/v1#MODEL"],
  ["http://localhost:99999/v1#m", "begins with http"],
  ["https://example.com/v1?x=1#m", "query"],
  ["script:", "path of a file"],
])("[M6] %s is refused, and the message says what a name is", (name, words) => {
  expect(() => parseModelName(name)).toThrow(expect.objectContaining({ code: "invalid_model", retryable: false }));
  expect(() => parseModelName(name)).toThrow(words);
});

test("[M7] an address with a password is refused, and the password is not quoted", () => {
  const parse = (): unknown => parseModelName("https://me:s3cret-word@example.com/v1#m");

  expect(parse).toThrow("example.com holds a user or a password");
  expect(parse).not.toThrow("s3cret");
});
