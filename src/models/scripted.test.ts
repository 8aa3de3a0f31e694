import { expect, test } from "vitest";
import type { Model, ModelMessage, ModelPart } from "./contract.js";
import { createScriptedModel } from "./scripted.js";
import type { ScriptClock } from "./scripted.js";
import { parseScript } from "./script.js";

const script = parseScript({
  version: 1,
  turns: [
    [
      { type: "text", text: "🦊".repeat(5) },
      { type: "toolCall", name: "bash", args: { command: "make" } },
    ],
    [{ type: "text", text: "done" }],
  ],
});
const user: ModelMessage = { role: "user", text: "go" };
const answer: ModelMessage = { role: "assistant", content: [] };

async function collect(
  model: Model,
  messages: ModelMessage[],
  signal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream({ messages, tools: [] }, signal)) parts.push(part);
  return parts;
}

function textOf(parts: ModelPart[], type: "text" | "toolCallInput"): string[] {
  return parts.flatMap((part) => (part.type === type ? [part.text] : []));
}

test("[M11] a turn comes in parts that join to what the script says", async () => {
  const parts = await collect(createScriptedModel(script, { partLength: 3 }), [user]);

  expect(textOf(parts, "text").join("")).toBe("🦊".repeat(5));
  expect(textOf(parts, "text").every((text) => Buffer.from(text).toString() === text && text.length <= 3)).toBe(true);
  expect(textOf(parts, "toolCallInput").join("")).toBe('{"command":"make"}');
  expect(textOf(parts, "toolCallInput").length).toBeGreaterThan(1);
  expect(parts.at(-1)).toEqual({ type: "finish", reason: "toolCalls" });
});

test("[M11] the number of answers in the request picks the turn", async () => {
  const model = createScriptedModel(script);

  const once = await collect(model, [user, answer, user]);
  const again = await collect(model, [user, answer, user]);

  expect(once).toEqual([
    { type: "text", text: "done" },
    { type: "finish", reason: "end" },
  ]);
  expect(again).toEqual(once);
});

test("[M11] answers from before the script do not count", async () => {
  const parts = await collect(createScriptedModel(script, { precedingAnswers: 2 }), [answer, answer, user, answer]);

  expect(textOf(parts, "text")).toEqual(["done"]);
});

test("[M11] a script without a turn left says so", async () => {
  await expect(collect(createScriptedModel(script), [answer, answer])).rejects.toMatchObject({
    code: "script_exhausted",
    retryable: false,
  });
});

test("[M11] an abort ends a delay with its reason, and nothing more comes", async () => {
  const delays: number[] = [];
  let cancelled = 0;
  const clock: ScriptClock = {
    after(delayMs) {
      delays.push(delayMs);
      return { cancel: () => (cancelled += 1) };
    },
  };
  const late = parseScript({ version: 1, turns: [[{ type: "text", text: "late", delayMs: 5_000 }]] });
  const controller = new AbortController();
  const reason = new Error("stop");

  const collected = collect(createScriptedModel(late, { clock }), [], controller.signal);
  controller.abort(reason);

  await expect(collected).rejects.toBe(reason);
  expect({ delays, cancelled }).toEqual({ delays: [5_000], cancelled: 1 });
});

test("[M11] a delay lets the step follow when the clock says so", async () => {
  const waiting: (() => void)[] = [];
  const clock: ScriptClock = {
    after(_delayMs, callback) {
      waiting.push(callback);
      queueMicrotask(callback);
      return { cancel: () => undefined };
    },
  };
  const late = parseScript({ version: 1, turns: [[{ type: "text", text: "late", delayMs: 5_000 }]] });

  const parts = await collect(createScriptedModel(late, { clock }), []);

  expect(waiting).toHaveLength(1);
  expect(textOf(parts, "text")).toEqual(["late"]);
});

/** What a request gives, and how it ends. */
async function ask(model: Model): Promise<{ parts: ModelPart[]; failure: unknown }> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream({ messages: [user], tools: [] }, new AbortController().signal))
      parts.push(part);
    return { parts, failure: undefined };
  } catch (failure) {
    return { parts, failure };
  }
}

test("[M12] a turn fails at its first requests as each step says, and then passes", async () => {
  const model = createScriptedModel(
    parseScript({
      version: 1,
      turns: [
        [
          { type: "text", text: "I look" },
          { type: "error", code: "rate_limited", retryAfterMs: 2_000, times: 1 },
          { type: "cut", call: { name: "bash", input: '{"comm' }, times: 2 },
          { type: "text", text: "done" },
        ],
      ],
    }),
  );

  const tries = [await ask(model), await ask(model), await ask(model)];

  expect(tries.map(({ failure }) => failure)).toMatchObject([
    { name: "ModelError", code: "rate_limited", retryable: true, retryAfterMs: 2_000 },
    { name: "ModelError", code: "connection", retryable: true, retryAfterMs: undefined },
    undefined,
  ]);
  expect(tries.map(({ parts }) => parts.slice(1))).toEqual([
    [],
    [
      { type: "toolCallStart", call: 0, name: "bash" },
      { type: "toolCallInput", call: 0, text: '{"comm' },
    ],
    [
      { type: "text", text: "done" },
      { type: "finish", reason: "end" },
    ],
  ]);
});

test.each([
  [{ code: "refused" }, { retryable: false, message: expect.stringContaining("refused") }],
  [{ code: "refused", retryable: true }, { retryable: true }],
  [
    { code: "overloaded", retryable: false, message: "We are full." },
    { retryable: false, message: "We are full." },
  ],
])("[M12] an error without times comes every time: %o", async (step, expected) => {
  const model = createScriptedModel(parseScript({ version: 1, turns: [[{ type: "error", ...step }]] }));

  for (const { failure } of [await ask(model), await ask(model)]) {
    expect(failure).toMatchObject({ code: step.code, ...expected });
  }
});

test("[M12] a stream that goes silent gives nothing more until it is aborted", async () => {
  const model = createScriptedModel(
    parseScript({
      version: 1,
      turns: [[{ type: "text", text: "I" }, { type: "stall" }, { type: "text", text: "late" }]],
    }),
  );
  const controller = new AbortController();
  const reason = new Error("stop");
  const parts = model.stream({ messages: [user], tools: [] }, controller.signal)[Symbol.asyncIterator]();

  const first = await parts.next();
  const next = parts.next();
  controller.abort(reason);

  expect(first.value).toEqual({ type: "text", text: "I" });
  await expect(next).rejects.toBe(reason);
});
