import { expect, test } from "vitest";
import type { Model, ModelPart } from "../models/index.js";
import { ModelError } from "../models/index.js";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import { call, openSession, text } from "./fixtures/session.js";
import type { TestSession } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";

/** A model whose n-th answer consists of the n-th list of parts; an error in it is thrown there. */
function makeModel(...answers: readonly (readonly (ModelPart | Error)[])[]): Model {
  let next = 0;
  return {
    id: "parts",
    async *stream() {
      for (const part of answers[next++] ?? []) {
        if (part instanceof Error) throw part;
        yield part;
      }
    },
  };
}

const finish = (reason: "end" | "toolCalls" | "maxTokens" | "error"): ModelPart => ({ type: "finish", reason });

const startedCall = (input: string): ModelPart[] => [
  { type: "toolCallStart", call: 0, name: "work", providerCallId: "p-1" },
  { type: "toolCallInput", call: 0, text: input },
];

async function runOnce(model: Model): Promise<{ session: TestSession; status: string; reason: string | undefined }> {
  let ran = false;
  const tools = [makeTool("work", () => void (ran = true))];
  const session = await openSession({ model, tools });
  const { status, reason } = await (await session.lane.prompt("go")).settled;
  const isAnyDone = session.lane.view().transcript.some((entry) => entry.type === "tool" && !entry.isError);
  expect(isAnyDone).toBe(ran);
  return { session, status, reason };
}

const outline = ({ lane }: TestSession): string[] => lane.view().transcript.map(({ type }) => type);

test("[E1] an answer grows by deltas, and its state is what its entry holds", async () => {
  const words = Array.from({ length: 200 }, (_, index) => `word ${index} `).join("");
  const { lane, events } = await openSession({ turns: [[text(words)]] });

  await (
    await lane.prompt("go")
  ).settled;

  const batches = events.flatMap((event) => (event.type === "message_update" ? [event.ops] : []));
  expect(batches.map((ops) => ops[0]?.[0])).toEqual(["r", "a"]);
  expect(lane.view().transcript[1]).toMatchObject({
    type: "assistant",
    stopReason: "end",
    message: { content: [{ type: "text", text: words }] },
  });
});

test("[E1] thinking, text and calls are parts in their order; a call's input becomes its arguments", async () => {
  const { session } = await runOnce(
    makeModel(
      [
        { type: "thinking", text: "hm" },
        { type: "text", text: "I " },
        { type: "text", text: "work" },
        ...startedCall('{"a"'),
        { type: "toolCallInput", call: 0, text: ":1}" },
        { type: "toolCallEnd", call: 0 },
        { type: "usage", usage: { inputTokens: 5, outputTokens: 7 } },
        finish("toolCalls"),
      ],
      [{ type: "usage", usage: { outputTokens: 1 } }, finish("end")],
    ),
  );

  const [, answer, result] = session.lane.view().transcript;
  expect(answer).toMatchObject({
    message: {
      content: [
        { type: "thinking", text: "hm" },
        { type: "text", text: "I work" },
        { type: "toolCall", name: "work", providerCallId: "p-1", input: "", args: { a: 1 } },
      ],
      usage: { inputTokens: 5, outputTokens: 7 },
    },
  });
  expect(result).toMatchObject({ type: "tool", args: { a: 1 }, isError: false });
  expect(session.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", providerCallId: "p-1" });
});

test("[M4] what a provider wants back is kept on the part that it is of, and ends that part", async () => {
  const { session } = await runOnce(
    makeModel([
      { type: "thinking", text: "hm" },
      { type: "providerData", providerData: { acme: { signature: "s" } } },
      { type: "thinking", text: "" },
      { type: "providerData", providerData: { acme: { hidden: "h" } } },
      { type: "thinking", text: "plain" },
      finish("end"),
    ]),
  );

  expect(session.lane.view().transcript.at(-1)).toMatchObject({
    message: {
      content: [
        { type: "thinking", text: "hm", providerData: { acme: { signature: "s" } } },
        { type: "thinking", text: "", providerData: { acme: { hidden: "h" } } },
        { type: "thinking", text: "plain" },
      ],
    },
  });
});

test("[H6] arguments that are no JSON give a failed result, and the model goes on", async () => {
  const { session, status } = await runOnce(
    makeModel([...startedCall('{"a":'), { type: "toolCallEnd", call: 0 }, finish("toolCalls")], [finish("end")]),
  );

  expect(status).toBe("completed");
  expect(session.lane.view().transcript[2]).toMatchObject({ type: "tool", isError: true, args: '{"a":' });
  expect(JSON.stringify(session.requests[1])).toContain("not valid JSON");
});

test("[E2] a model that fails before its first word leaves no message", async () => {
  const { session, status, reason } = await runOnce(makeModel([new ModelError("overloaded", "Too busy.")]));

  expect({ status, reason }).toEqual({ status: "failed", reason: "Too busy." });
  expect(outline(session)).toEqual(["user"]);
  expect(session.events.map(({ type }) => type)).not.toContain("message_start");
});

test("[H6] a model that fails in the middle leaves what it said, and a result for each of its calls", async () => {
  const { session, status, reason } = await runOnce(
    makeModel([{ type: "text", text: "I was" }, ...startedCall('{"a":'), new ModelError("connection", "Cut off.")]),
  );

  expect({ status, reason }).toEqual({ status: "failed", reason: "Cut off." });
  expect(outline(session)).toEqual(["user", "assistant", "tool"]);
  expect(session.lane.view().transcript[1]).toMatchObject({ stopReason: "error" });
  expect(session.lane.view().transcript[2]).toMatchObject({ isError: true, args: '{"a":' });
});

test.each([
  ["ends without a finish", [], "without a finish"],
  ["reaches its limit of tokens", [finish("maxTokens")], "limit of tokens"],
  ["says that it failed", [finish("error")], "before the answer was complete"],
])("[E1] an operation whose model %s fails and says why", async (_name, parts, why) => {
  const { status, reason } = await runOnce(makeModel([{ type: "text", text: "So" }, ...parts]));

  expect(status).toBe("failed");
  expect(reason).toContain(why);
});

test("[H6] an abort ends an answer at once, also of a model that does not heed its signal", async () => {
  const deaf: Model = {
    id: "deaf",
    async *stream() {
      yield { type: "text", text: "I go on" };
      await new Promise(() => undefined);
    },
  };
  const session = await openSession({ model: deaf, clock: createManualClock() });

  const operation = await session.lane.prompt("go");
  await expect.poll(() => session.events.map(({ type }) => type)).toContain("message_update");
  operation.abort("stop it");
  const result = await operation.settled;

  expect(result).toMatchObject({ status: "aborted", reason: "stop it" });
  expect(session.lane.view().transcript[1]).toMatchObject({
    stopReason: "aborted",
    message: { content: [{ text: "I go on" }] },
  });
});

test("[E1] what answers and calls consumed adds up in the operation's result", async () => {
  const pay = makeTool("work", ({ out }) => out.usage({ inputTokens: 100, costUsd: 0.5 }));
  const usage = { type: "usage", usage: { inputTokens: 1, outputTokens: 2 } } as const;
  const model = makeModel(
    [usage, ...startedCall("{}"), { type: "toolCallEnd", call: 0 }, finish("toolCalls")],
    [usage, finish("end")],
  );
  const { lane } = await openSession({ model, tools: [pay] });

  const result = await (await lane.prompt("go")).settled;

  expect(result.usage).toEqual({ inputTokens: 102, outputTokens: 4, costUsd: 0.5 });
});

test("[H6] a script that has no turn left fails the operation and says so", async () => {
  const session = await openSession({ turns: [[call("work")]], tools: [makeTool("work", () => undefined)] });

  const result = await (await session.lane.prompt("go")).settled;

  expect(result).toMatchObject({ status: "failed", reason: expect.stringContaining("asked for turn 2") });
});
