import { expect, test } from "vitest";
import { createAnthropicModel, createOpenAIModel, createServerModel, ModelError } from "../src/models/index.js";
import type { Model, ModelPart } from "../src/models/index.js";
import type { ModelAnswer, ModelAnswerPart } from "../src/testing/index.js";
import { contentOf } from "../src/testing/models/stage.js";
import { chatFrames } from "./support/model-server/chat-dialect.js";
import { messagesFrames } from "./support/model-server/messages-dialect.js";
import { responsesFrames } from "./support/model-server/responses-dialect.js";
import { createRandom, runSeed } from "./support/random.js";

const SEED = runSeed();
const ROUNDS = process.env["CI"] === "true" ? 400 : 10;

type Random = () => number;

const wires = [
  ["Anthropic", messagesFrames, (fetch: typeof globalThis.fetch) => createAnthropicModel("m", { key: "k", fetch })],
  ["OpenAI", responsesFrames, (fetch: typeof globalThis.fetch) => createOpenAIModel("gpt-5-m", { key: "k", fetch })],
  [
    "a server",
    chatFrames,
    (fetch: typeof globalThis.fetch) => createServerModel("http://localhost/v1", "m", { fetch }),
  ],
] as const;

test.each(wires)(
  `[M1] %s: an answer is the same however its bytes are cut (seed ${SEED})`,
  async (_name, frames, create) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = createRandom(SEED + round);
      const answer = makeAnswer(random);
      const bytes = Buffer.from(frames(answer, 1 + pick(random, 20)).join(random() < 0.2 ? "\n" : ""));

      const parts = await read(create(async () => respond(bytes, random)));

      expect(summaryOf(parts), `round ${round}`).toEqual(expectedOf(answer));
      expect(parts.every((part) => !("text" in part) || part.text.isWellFormed())).toBe(true);
      expect(parts.at(-1)?.type).toBe("finish");
    }
  },
);

test.each(wires)(
  `[M2] %s: bytes that are damaged or missing give an answer or one of our errors (seed ${SEED})`,
  async (_name, frames, create) => {
    let failures = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = createRandom(SEED + round);
      const bytes = Buffer.from(frames(makeAnswer(random), 1 + pick(random, 20)).join(""));

      const outcome = await read(create(async () => respond(damage(bytes, random), random))).catch(
        (error: unknown) => error,
      );

      if (outcome instanceof ModelError) failures += 1;
      const isWhole = Array.isArray(outcome) && (outcome as ModelPart[]).at(-1)?.type === "finish";
      expect(outcome instanceof ModelError || isWhole, `round ${round}: ${String(outcome)}`).toBe(true);
    }
    expect(failures).toBeGreaterThan(ROUNDS / 4);
  },
);

/** What joins to the same content, whatever the parts. */
function summaryOf(parts: readonly ModelPart[]): unknown {
  return contentOf(parts).map((part) =>
    part.type === "toolCall" ? { name: part.name, input: part.args ?? part.input } : { [part.type]: part.text },
  );
}

function expectedOf({ parts }: ModelAnswer): unknown {
  return parts.map((part) =>
    part.type === "toolCall" ? { name: part.name, input: parse(part.input) } : { [part.type]: part.text },
  );
}

function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Thinking, then text, then calls, as all wires can say it. */
function makeAnswer(random: Random): ModelAnswer {
  const parts: ModelAnswerPart[] = [];
  if (random() < 0.5) parts.push({ type: "thinking", text: makeText(random), data: "sig" });
  if (random() < 0.7) parts.push({ type: "text", text: makeText(random) });
  for (let count = pick(random, 4); count > 0; count -= 1) {
    const args = { a: makeText(random), n: [pick(random, 100), null, { "é🦊": true }] };
    const input = random() < 0.2 ? '{"a": "never end' : JSON.stringify(args, null, pick(random, 3));
    parts.push({ type: "toolCall", name: "bash", input });
  }
  return { parts: parts.length === 0 ? [{ type: "text", text: "ok" }] : parts };
}

const ALPHABET = ["a", " ", "\n", '"', "\\", "é", "漢", "🦊", "👩‍👩‍👧", "\u2028", "data: ", "\r", "[DONE]", "{"];

function makeText(random: Random): string {
  return Array.from({ length: 1 + pick(random, 40) }, () => ALPHABET[pick(random, ALPHABET.length)]).join("");
}

/** Cuts anywhere, in the middle of characters and of line ends too. */
function respond(bytes: Uint8Array, random: Random): Response {
  let place = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (place >= bytes.length) return controller.close();
      const end = place + 1 + pick(random, random() < 0.5 ? 4 : 2_000);
      controller.enqueue(bytes.slice(place, end));
      place = end;
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function damage(bytes: Uint8Array, random: Random): Uint8Array {
  if (random() < 0.4) return bytes.slice(0, pick(random, bytes.length));
  const damaged = Uint8Array.from(bytes);
  for (let count = 1 + pick(random, 3); count > 0; count -= 1) damaged[pick(random, bytes.length)] = pick(random, 256);
  return damaged;
}

function pick(random: Random, count: number): number {
  return Math.floor(random() * count);
}

async function read(model: Model): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  const request = { messages: [{ role: "user", text: "go" }], tools: [] } as const;
  for await (const part of model.stream(request, new AbortController().signal)) parts.push(part);
  return parts;
}
