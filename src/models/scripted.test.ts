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

test("a turn comes in parts that join to what the script says", async () => {
  const parts = await collect(createScriptedModel(script, { partLength: 3 }), [user]);

  expect(textOf(parts, "text").join("")).toBe("🦊".repeat(5));
  expect(textOf(parts, "text").every((text) => Buffer.from(text).toString() === text && text.length <= 3)).toBe(true);
  expect(textOf(parts, "toolCallInput").join("")).toBe('{"command":"make"}');
  expect(textOf(parts, "toolCallInput").length).toBeGreaterThan(1);
  expect(parts.at(-1)).toEqual({ type: "finish", reason: "toolCalls" });
});

test("the number of answers in the request picks the turn", async () => {
  const model = createScriptedModel(script);

  const once = await collect(model, [user, answer, user]);
  const again = await collect(model, [user, answer, user]);

  expect(once).toEqual([
    { type: "text", text: "done" },
    { type: "finish", reason: "end" },
  ]);
  expect(again).toEqual(once);
});

test("answers from before the script do not count", async () => {
  const parts = await collect(createScriptedModel(script, { precedingAnswers: 2 }), [answer, answer, user, answer]);

  expect(textOf(parts, "text")).toEqual(["done"]);
});

test("a script without a turn left says so", async () => {
  await expect(collect(createScriptedModel(script), [answer, answer])).rejects.toMatchObject({
    code: "script_exhausted",
    retryable: false,
  });
});

test("an abort ends a delay with its reason, and nothing more comes", async () => {
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

test("a delay lets the step follow when the clock says so", async () => {
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
