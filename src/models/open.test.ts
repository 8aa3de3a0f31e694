import { expect, test } from "vitest";
import { openModel } from "./open.js";
import type { OpenModelOptions } from "./open.js";

const signal = new AbortController().signal;
const request = { messages: [{ role: "user", text: "go" }], tools: [] } as const;

async function firstAddress(name: string, options: OpenModelOptions): Promise<string> {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return new Response("{}", { status: 418 });
  };
  const model = await openModel(name, { key: "k", ...options, fetch });
  const reading = model.stream(request, signal)[Symbol.asyncIterator]().next();
  await expect(reading).rejects.toMatchObject({ code: "bad_request" });
  return asked.join();
}

test("[M6] a name opens its model, under its own id", async () => {
  const readText = async (): Promise<string> => '{"version":1,"turns":[]}';
  const names = ["anthropic:claude-x", "openai:gpt-x", "http://localhost:1/v1#m", "script:a.json"];

  const models = await Promise.all(names.map((name) => openModel(name, { readText, contextTokens: 8_192 })));

  expect(models.map(({ id }) => id)).toEqual(names);
  expect(models[0]?.contextTokens).toBe(8_192);
});

test("[M6] a script that cannot be read is named", async () => {
  await expect(openModel("script:/nowhere/a.json")).rejects.toMatchObject({
    code: "invalid_script",
    message: "The script /nowhere/a.json cannot be read (ENOENT).",
  });
});

test("[M6] addresses are the provider's own, or those of the environment, or what is said", async () => {
  const environment = { ANTHROPIC_BASE_URL: "https://gate.example/a/", OPENAI_BASE_URL: "https://gate.example/o/v1" };

  expect(await firstAddress("anthropic:x", {})).toBe("https://api.anthropic.com/v1/messages");
  expect(await firstAddress("openai:x", {})).toBe("https://api.openai.com/v1/responses");
  expect(await firstAddress("https://example.com/v1/#x", {})).toBe("https://example.com/v1/chat/completions");
  expect(await firstAddress("anthropic:x", { environment })).toBe("https://gate.example/a/v1/messages");
  expect(await firstAddress("openai:x", { environment })).toBe("https://gate.example/o/v1/responses");
  expect(await firstAddress("openai:x", { environment, baseUrl: "https://b.example" })).toBe(
    "https://b.example/responses",
  );
});

test.each([
  "http://127.0.0.1:1/v1#m",
  "http://[::1]:1/v1#m",
  "http://localhost:1#m",
  "http://a.localhost/v1#m",
  "https://example.com#m",
])("[M6] %s may be asked as it is", async (name) => {
  await expect(openModel(name)).resolves.toMatchObject({ id: expect.stringMatching(/#m$/) });
});

test.each([
  "http://example.com/v1#m",
  "http://10.0.0.7:8000/v1#m",
  "http://localhost.example.com/v1#m",
  "http://0.0.0.0/v1#m",
])("[M6] %s would be asked in the clear, which has to be allowed", async (name) => {
  await expect(openModel(name)).rejects.toMatchObject({ code: "invalid_model" });
  await expect(openModel(name, { allowPlainHttp: true })).resolves.toBeDefined();
});

test("[M8] a price that is no amount is refused", async () => {
  const prices = { "openai:x": { input: 1, output: -1 } };

  await expect(openModel("openai:x", { prices })).rejects.toMatchObject({ code: "invalid_model" });
  await expect(openModel("openai:y", { prices })).resolves.toBeDefined();
});
