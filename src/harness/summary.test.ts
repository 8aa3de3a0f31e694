import { expect, test } from "vitest";
import { ModelError } from "../models/index.js";
import type { ModelMessage, ModelRequest } from "../models/index.js";
import type { Entry } from "../protocol/index.js";
import { createMemoryStorage } from "../storage/index.js";
import { createPartsModel, finish, say, stateCall } from "./fixtures/parts-model.js";
import type { PartStep } from "./fixtures/parts-model.js";
import { openSession } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";
import { wrapStorage } from "./fixtures/wrapped-storage.js";
import { readLane } from "./history.js";
import { buildMessages, callsOf } from "./request.js";
import { findCut } from "./summary.js";

const tooLong = new ModelError("context_too_long", "That is too much.");
const tools = [makeTool("work", ({ arg, out }) => out.write(`result ${arg("n")}\n`))];

const used = (inputTokens: number): PartStep => ({ type: "usage", usage: { inputTokens } });
const work = (n: number, ...more: readonly PartStep[]): PartStep[] => [
  ...stateCall("work", { n }),
  ...more,
  finish("toolCalls"),
];

const roles = ({ messages }: ModelRequest): string => messages.map(({ role }) => role.charAt(0)).join("");

/** Calls without their result right after them, in call order. */
function unpaired(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message, index) => {
    if (message.role !== "assistant") return [];
    const calls = message.content.filter((part) => part.type === "toolCall");
    return calls.flatMap(({ toolCallId }, place) => {
      const result = messages[index + 1 + place];
      return result?.role === "tool" && result.toolCallId === toolCallId ? [] : [toolCallId];
    });
  });
}

test("[H31] where the model says that a request is too long, it sums up what is before, and is asked again with that", async () => {
  const model = createPartsModel(
    work(1),
    work(2),
    work(3),
    [tooLong],
    [say("He wants it done; 1 is done."), used(7), finish()],
    [say("All done."), finish()],
  );
  const session = wrapStorage(await createMemoryStorage().create("session"), { close: () => Promise.resolve() });
  const { lane, events } = await openSession({ model, tools, storage: session, context: { keepAnswers: 2 } });
  const { status, usage } = await (await lane.prompt("do it all")).settled;
  const { transcript } = await readLane(session, "main");

  const [, , , long, asking, short] = model.requests;
  expect(status).toBe("completed");
  expect(roles(long ?? { messages: [], tools: [] })).toBe("uatatat");
  expect(asking?.tools).toEqual([]);
  expect(JSON.stringify(asking?.messages)).toMatch(/do it all.*calls work with.*result 1/);
  expect(JSON.stringify(asking?.messages)).not.toContain("result 2");
  expect(roles(short ?? { messages: [], tools: [] })).toBe("uatat");
  expect(short?.messages[0]).toMatchObject({ text: expect.stringContaining("He wants it done; 1 is done.") });
  expect(transcript.map(({ type }) => type.charAt(0)).join("")).toBe("uatatatsa");
  expect(transcript.find(({ type }) => type === "summary")).toMatchObject({ through: transcript[2]?.id, entries: 3 });
  expect(lane.view().transcript).toEqual(transcript);
  expect(events.filter((event) => event.type === "entry_added").map(({ entry }) => entry.type)).toEqual([
    "user",
    "summary",
  ]);
  expect(usage).toEqual({ inputTokens: 7 });
});

test("[H31] a summary is made before the limit is met, stands for the one before it, and holds after a restart", async () => {
  const summaries = ["first summary", "second summary"];
  const model = createPartsModel(
    work(1, used(10)),
    work(2, used(95)),
    [say("first summary"), finish()],
    work(3, used(95)),
    [say("second summary"), finish()],
    [say("Done."), used(10), finish()],
  );
  const session = wrapStorage(await createMemoryStorage().create("session"), { close: () => Promise.resolve() });
  const context = { maxTokens: 100, summarizeAt: 0.9, keepAnswers: 1 };
  const { lane, harness } = await openSession({ model, tools, storage: session, context });
  await (
    await lane.prompt("go")
  ).settled;
  await harness.close();
  const again = createPartsModel();
  const next = await openSession({ model: again, tools, storage: session, context });
  await (
    await next.lane.prompt("more")
  ).settled;

  expect(JSON.stringify(model.requests[4]?.messages)).toContain("first summary");
  const [start, ...rest] = again.requests[0]?.messages ?? [];
  expect(start).toMatchObject({ text: expect.stringContaining(summaries[1] ?? "") });
  expect(rest.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "user"]);
  expect(next.lane.view().transcript.filter(({ type }) => type === "summary")).toMatchObject([
    { text: "first summary", entries: 3 },
    { text: "second summary", entries: 5 },
  ]);
});

test("[H31] a request for a summary that is too long itself is made shorter", async () => {
  const words = "w".repeat(8_000);
  const answers = Array.from({ length: 90 }, () => [say(words), ...work(1)]);
  const model = createPartsModel(...answers, [tooLong], [tooLong], [tooLong], [say("short"), finish()], [finish()]);
  const { lane } = await openSession({ model, tools });
  const { status } = await (await lane.prompt("go")).settled;

  const sizes = model.requests.slice(91, 94).map((request) => JSON.stringify(request).length);
  expect(status).toBe("completed");
  expect(sizes.map((size) => Math.round(size / 150_000))).toEqual([4, 2, 1]);
});

test("[H31] where nothing is left to sum up, or the model does not, the operation fails with that", async () => {
  const nothing = await openSession({ model: createPartsModel([tooLong]), tools });
  const silent = await openSession({ model: createPartsModel(work(1), [tooLong], [finish()]), tools });

  expect(await (await nothing.lane.prompt("go")).settled).toMatchObject({
    status: "failed",
    reason: "That is too much.",
  });
  expect(await (await silent.lane.prompt("go")).settled).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("asked for a summary"),
  });
});

test("[H31] [H6] no cut parts a call from its result", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const transcript = makeTranscript(seed);
    for (const keepAnswers of [1, 2, 3, 5]) {
      const last = transcript[findCut(transcript, keepAnswers) - 1];
      if (last === undefined) continue;
      const summary: Entry = {
        type: "summary",
        id: "s",
        operationId: "op",
        at: 0,
        text: "…",
        through: last.id,
        entries: 1,
      };
      const messages = buildMessages([...transcript, summary]);

      expect(unpaired(messages), `seed ${seed}, ${keepAnswers} kept`).toEqual([]);
      expect(
        messages.filter(({ role }) => role === "assistant"),
        `seed ${seed}`,
      ).toHaveLength(keepAnswers);
      const known = new Set(
        messages
          .flatMap((message) =>
            message.role === "assistant" ? callsOf({ message: { content: [...message.content] } }) : [],
          )
          .map(({ toolCallId }) => toolCallId),
      );
      expect(messages.every((message) => message.role !== "tool" || known.has(message.toolCallId))).toBe(true);
    }
  }
});

/** Answers with up to three calls, results in any order, and things said between turns. */
function makeTranscript(seed: number): Entry[] {
  let state = seed;
  const pick = (most: number): number => (state = (state * 48_271) % 2_147_483_647) % most;
  const entries: Entry[] = [];
  const base = (): { id: string; operationId: string; at: number } => ({
    id: `e${entries.length}`,
    operationId: "op",
    at: 0,
  });
  entries.push({ type: "user", ...base(), text: "go" });
  for (let turn = 0; turn < 2 + pick(8); turn += 1) {
    const calls = Array.from({ length: pick(4) }, (_, index) => `c${turn}-${index}`);
    const content = calls.map(
      (toolCallId) => ({ type: "toolCall", toolCallId, name: "work", input: "", args: {} }) as const,
    );
    entries.push({ type: "assistant", ...base(), message: { content }, stopReason: "toolCalls" });
    for (const toolCallId of calls.sort(() => pick(3) - 1)) entries.push(makeResult(base(), toolCallId));
    if (pick(3) === 0) entries.push({ type: "user", ...base(), text: "and", queuedAs: "steer" });
  }
  return entries;
}

function makeResult(base: { id: string; operationId: string; at: number }, toolCallId: string): Entry {
  const truncation = { truncated: false, truncatedBy: null, totalLines: 0, totalBytes: 0, maxLines: 1, maxBytes: 1 };
  const output = { content: [], details: {}, terminate: false, truncation };
  return { type: "tool", ...base, toolCallId, toolName: "work", args: {}, isError: false, output };
}
