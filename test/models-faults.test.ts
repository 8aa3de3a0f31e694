import { expect, test, vi } from "vitest";
import type { Model, ModelPart } from "../src/models/index.js";
import { dataEvent, namedEvent } from "./support/model-server/frames.js";
import { startModelServer } from "./support/model-server/server.js";
import { after, answerWith, dripped, inserted } from "./support/model-server/turn.js";
import type { Turn } from "./support/model-server/turn.js";
import { KEY, wires } from "./support/model-server/wires.js";

const NOW = Date.parse("2026-12-02T10:00:00Z");
const request = { messages: [{ role: "user", text: "go" }], tools: [] } as const;
const call = { type: "toolCall", name: "bash", input: '{"command":"make all"}' } as const;

const openModel = wires.map(([name, create]) => ({ name, create }));
const anthropicError = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
const openAIError = { error: { message: "Slow down.", type: "server_error", code: "server_is_overloaded" } };

test.each(openModel)(
  "[M2] $name: a rate limit says how long to wait, and nothing is asked twice",
  async ({ create }) => {
    await using server = await startModelServer();
    const model = create(server.baseUrl, { now: () => NOW });
    const body = { error: { type: "rate_limit_error", message: "Too many requests" } };
    const headers = [
      { "retry-after": "7" },
      { "retry-after": "Wed, 02 Dec 2026 10:00:30 GMT" },
      { "retry-after-ms": "1500", "retry-after": "2" },
    ];
    server.add(...headers.map((headers) => ({ status: 429, headers, body })));

    const failures = [await fail(model), await fail(model), await fail(model)];

    expect(failures).toMatchObject([
      { code: "rate_limited", retryable: true, retryAfterMs: 7_000 },
      { code: "rate_limited", retryable: true, retryAfterMs: 30_000 },
      { code: "rate_limited", retryable: true, retryAfterMs: 1_500 },
    ]);
    expect(server.requests).toHaveLength(3);
  },
);

test.each(openModel)(
  "[M2] $name: what is refused has a code, and is tried again only where that helps",
  async ({ create }) => {
    await using server = await startModelServer();
    const model = create(server.baseUrl);
    const said = (type: string, message: string): unknown => ({ type: "error", error: { type, message } });
    const refusals: [turn: Turn, code: string, retryable: boolean][] = [
      [{ status: 529, body: anthropicError }, "overloaded", true],
      [{ status: 503, headers: { "retry-after": "3" }, body: openAIError }, "overloaded", true],
      [{ status: 500, body: said("api_error", "Internal server error") }, "provider_failed", true],
      [{ status: 502, body: "<html><h1>Bad gateway</h1></html>" }, "provider_failed", true],
      [{ status: 401, body: said("authentication_error", `invalid key ${KEY}`) }, "unauthorized", false],
      [{ status: 404, body: said("not_found_error", "model: x") }, "model_not_found", false],
      [{ status: 400, body: said("invalid_request_error", "messages: must not be empty") }, "bad_request", false],
      [{ status: 307, headers: { location: "/v1/elsewhere" } }, "bad_response", false],
    ];
    server.add(...refusals.map(([turn]) => turn));

    for (const [, code, retryable] of refusals) {
      const failure = await fail(model);
      expect(failure).toMatchObject({ name: "ModelError", code, retryable });
      expect([failure.cause, failure.message.includes(KEY)]).toEqual([undefined, false]);
    }
    expect(server.requests).toHaveLength(refusals.length);
  },
);

test.each(openModel)(
  "[M2] $name: a stream that breaks off in the middle of a call is a failure of the connection",
  async ({ create }) => {
    await using server = await startModelServer();
    server.add(
      { ...answerWith(call), alter: after("comma", "cut") },
      { ...answerWith(call), alter: after("comma", "end") },
    );
    const model = create(server.baseUrl);

    for (const _end of ["cut", "end"]) {
      const parts: ModelPart[] = [];
      expect(await fail(model, parts)).toMatchObject({ code: "connection", retryable: true });
      expect(parts.map(({ type }) => type)).toContain("toolCallInput");
      expect(parts.map(({ type }) => type)).not.toContain("toolCallEnd");
    }
  },
);

test.each(openModel)("[M2] $name: an event that is no JSON is a bad response", async ({ create }) => {
  await using server = await startModelServer();
  server.add({ ...answerWith({ type: "text", text: "hello there" }), alter: inserted("hello", "data: {not json\n\n") });

  expect(await fail(create(server.baseUrl))).toMatchObject({ code: "bad_response", retryable: true });
});

test.each([
  ["Anthropic", namedEvent(anthropicError)],
  ["OpenAI", namedEvent({ type: "error", sequence_number: 9, ...openAIError })],
  ["OpenAI", namedEvent({ ...openAIError.error, type: "error", sequence_number: 9 })],
  ["OpenAI", namedEvent({ ...openAIError.error, type: "error" })],
  ["OpenAI", namedEvent({ type: "response.failed", sequence_number: 9, response: openAIError })],
  ["a server", dataEvent(openAIError)],
])("[M2] %s: an error in the middle of the stream keeps its code", async (name, event) => {
  await using server = await startModelServer();
  server.add({ ...answerWith({ type: "text", text: "hello there" }), alter: inserted("hello", event) });
  const model = create(name, server.baseUrl);
  const parts: ModelPart[] = [];

  expect(await fail(model, parts)).toMatchObject({ code: "overloaded", retryable: true });
  expect(parts[0]).toMatchObject({ type: "text" });
});

test("[M2] an error that is the first event, or a text and no object, is understood", async () => {
  await using server = await startModelServer();
  const message = "The number of tokens to keep from the initial prompt is greater than the context length";
  server.add(
    { ...answerWith(), alter: () => [{ send: namedEvent(anthropicError) }, "end"] },
    { ...answerWith(), alter: () => [{ send: `event: error\n${dataEvent({ error: message })}` }, "end"] },
    { status: 400, body: { error: message } },
  );

  expect(await fail(create("Anthropic", server.baseUrl))).toMatchObject({ code: "overloaded", retryable: true });
  expect(await fail(create("a server", server.baseUrl))).toMatchObject({ code: "context_too_long", retryable: false });
  expect(await fail(create("a server", server.baseUrl))).toMatchObject({ code: "context_too_long", retryable: false });
});

test("[M2] an event of a type that came later is passed over", async () => {
  await using server = await startModelServer();
  const event = namedEvent({ type: "content_block_hint", index: 0 });
  server.add({ ...answerWith({ type: "text", text: "hello there" }), alter: inserted("hello", event) });

  const parts = await read(create("Anthropic", server.baseUrl));

  expect(textOf(parts)).toBe("hello there");
});

test.each(openModel)(
  "[M3] $name: an abort ends a silent stall with its reason, and the connection with it",
  async ({ create }) => {
    await using server = await startModelServer();
    server.add({ ...answerWith(call), alter: after("comma", "stall") });
    const controller = new AbortController();
    const reason = new Error("no more");

    const reading = (async () => {
      for await (const part of create(server.baseUrl).stream(request, controller.signal)) {
        if (part.type === "toolCallInput") controller.abort(reason);
      }
    })();

    await expect(reading).rejects.toBe(reason);
    await vi.waitFor(() => expect(server.brokenOff).toBe(1), { timeout: 20_000 });
  },
);

test.each(openModel)("[M3] $name: whoever stops reading breaks the connection off", async ({ create }) => {
  await using server = await startModelServer();
  server.add({ ...answerWith({ type: "text", text: "hello there" }), alter: after("hello", "stall") });

  for await (const _part of create(server.baseUrl).stream(request, new AbortController().signal)) break;

  await vi.waitFor(() => expect(server.brokenOff).toBe(1), { timeout: 20_000 });
});

test.each(openModel)("[M1] $name: an answer that drips, and one with much thinking, come whole", async ({ create }) => {
  await using server = await startModelServer({ pieceLength: 4_000 });
  const thinking = "🦊 thinking about it\n".repeat(20_000);
  server.add(
    { ...answerWith({ type: "text", text: "drop by drop ".repeat(1_000) }), alter: dripped(1) },
    answerWith({ type: "thinking", text: thinking, data: "signed" }, { type: "text", text: "ok" }),
  );
  const model = create(server.baseUrl);

  expect(textOf(await read(model))).toBe("drop by drop ".repeat(1_000));
  const parts = await read(model);
  const thought = parts.flatMap((part) => (part.type === "thinking" ? [part.text] : [])).join("");
  expect(thought === thinking).toBe(true);
});

test("[M2] a server that is not there is a failure of the connection", async () => {
  const server = await startModelServer();
  await server.close();

  const failure = await fail(create("a server", server.baseUrl));

  expect(failure).toMatchObject({ code: "connection", retryable: true });
  expect(failure.message).toContain("ECONNREFUSED");
});

function create(name: string, baseUrl: string): Model {
  const wire = wires.find(([known]) => known === name);
  if (wire === undefined) throw new Error(`There is no wire ${name}.`);
  return wire[1](baseUrl);
}

async function read(model: Model, parts: ModelPart[] = []): Promise<readonly ModelPart[]> {
  for await (const part of model.stream(request, new AbortController().signal)) parts.push(part);
  return parts;
}

async function fail(model: Model, parts?: ModelPart[]): Promise<Error> {
  const thrown = await read(model, parts).catch((error: unknown) => error);
  if (thrown instanceof Error) return thrown;
  throw new Error("The request did not fail.");
}

function textOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
}
