import { expect, test } from "vitest";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import { ModelError } from "../models/index.js";
import { createMemoryStorage } from "../storage/index.js";
import { createPartsModel, finish, say, stateCall } from "./fixtures/parts-model.js";
import type { PartStep } from "./fixtures/parts-model.js";
import { openSession } from "./fixtures/session.js";
import type { TestSession } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";
import { wrapStorage } from "./fixtures/wrapped-storage.js";
import { readLane } from "./history.js";
import { readLimits } from "./limits.js";
import { planRetry } from "./retry.js";

const busy = new ModelError("overloaded", "Too much to do.", { retryable: true });
const wrong = new ModelError("bad_request", "That is not a request.");
const never = (): Promise<never> => new Promise(() => undefined);

const limits = readLimits({ model: createPartsModel(), storage: {} as never, env: {} as never, tools: [] });

/** Runs one prompt; `pass` moves time whenever the model is waited for. */
async function ask(
  answers: readonly (readonly PartStep[])[],
  options: Partial<Parameters<typeof openSession>[0]> = {},
): Promise<{ session: TestSession; status: string; reason: string | undefined; waited: number[] }> {
  const clock = createManualClock();
  const model = createPartsModel(...answers);
  const session = await openSession({ model, clock, random: () => 0.5, ...options });
  const operation = await session.lane.prompt("go");
  const end = { isReached: false };
  void operation.settled.then(() => (end.isReached = true));
  const waited: number[] = [];
  while (!end.isReached) {
    await new Promise(setImmediate);
    const retry = session.lane.view().operation?.retry;
    if (retry === undefined || retry.at <= clock.now()) continue;
    waited.push(retry.at - clock.now());
    clock.advance(retry.at - clock.now());
  }
  const { status, reason } = await operation.settled;
  return { session, status, reason, waited };
}

test("[H20] the wait doubles, varies between half and all of itself, has a limit, and follows what the model asks for", () => {
  const plan = (failures: number, random: number, error = busy): unknown =>
    planRetry(error, failures, { ...limits, maxAttempts: 20 }, random);

  expect([1, 2, 3, 9, 19].map((failures) => plan(failures, 1))).toEqual(
    [1_000, 2_000, 4_000, 60_000, 60_000].map((delayMs) => ({ delayMs })),
  );
  expect(plan(3, 0)).toEqual({ delayMs: 2_000 });
  const asks = (retryAfterMs: number): ModelError =>
    new ModelError("rate_limited", "Later.", { retryable: true, retryAfterMs });
  expect(plan(1, 1, asks(30_000))).toEqual({ delayMs: 30_000 });
  expect(plan(1, 1, asks(300_000))).toEqual({ delayMs: 300_000 });
  expect(plan(1, 1, asks(300_001))).toMatchObject({ giveUp: expect.stringMatching(/301 s; .* at most 300 s/) });
  expect(plan(1, 1, wrong)).toBeUndefined();
});

test("[H20] a failure that may pass is waited out in sight; one that stays ends the operation at once", async () => {
  const passing = await ask([[busy], [busy], [say("here"), finish()]]);
  const staying = await ask([[wrong]]);

  expect(passing).toMatchObject({ status: "completed", waited: [750, 1_500] });
  expect(passing.session.events.filter(({ type }) => type === "model_retry")).toMatchObject([
    { retry: { failures: 1, maxAttempts: 6, code: "overloaded", reason: "Too much to do." } },
    { retry: { failures: 2 } },
  ]);
  expect(staying).toMatchObject({ status: "failed", waited: [], reason: "That is not a request." });
});

test("[H20] after the last try the operation fails with the model's words", async () => {
  const { status, reason, waited } = await ask([[busy], [busy], [busy], [busy]], { retry: { maxAttempts: 3 } });

  expect({ status, reason }).toEqual({ status: "failed", reason: "Too much to do. (asked 3 times)" });
  expect(waited).toHaveLength(2);
});

test("[H21] what a try had said stands until the next one speaks, and is then replaced: for view, store and model", async () => {
  const usage = (outputTokens: number): PartStep => ({ type: "usage", usage: { outputTokens } });
  const storage = await createMemoryStorage().create("session");
  const seen: unknown[] = [];
  const tools = [makeTool("work", () => undefined)];
  const answers = [
    [say("I was ab"), ...stateCall("work", { n: 1 }).slice(0, 2), usage(3), busy],
    [busy],
    [say("I do it."), ...stateCall("work", { n: 2 }), usage(4), finish("toolCalls")],
    [say("Done."), finish()],
  ];
  const clock = createManualClock();
  const model = createPartsModel(...answers);
  const { lane, events } = await openSession({ model, clock, storage, tools, random: () => 0.5 });
  const operation = await lane.prompt("go");
  for (const at of [750, 1_500]) {
    await expect.poll(() => lane.view().operation?.retry?.at).toBeGreaterThanOrEqual(at);
    seen.push(lane.view().operation?.message?.state?.content[0]);
    clock.advance(at);
  }
  const result = await operation.settled;
  const { transcript } = await readLane(storage, "main");

  expect(seen).toEqual([say("I was ab"), say("I was ab")]);
  expect(lane.view().transcript).toEqual(transcript);
  expect(transcript.map(({ type }) => type)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(transcript[1]).toMatchObject({ message: { content: [say("I do it."), { args: { n: 2 } }] } });
  expect(JSON.stringify(model.requests.at(-1))).not.toContain("I was ab");
  expect(events.filter(({ type }) => type === "message_start")).toHaveLength(2);
  expect(result).toMatchObject({ status: "completed", usage: { outputTokens: 7 } });
});

test("[H21] what the last try had said stays where every one fails", async () => {
  const { session, status } = await ask([[say("one"), busy], [say("two"), busy], [wrong]]);

  expect(status).toBe("failed");
  expect(session.lane.view().transcript[1]).toMatchObject({ stopReason: "error", message: { content: [say("two")] } });
});

test("[H22] a model that gives nothing for too long has failed in a way that may pass", async () => {
  const clock = createManualClock();
  const model = createPartsModel([say("hm"), never()], [say("yes"), finish()]);
  const { lane } = await openSession({ model, clock, retry: { stallMs: 5_000 }, random: () => 0.5 });
  const operation = await lane.prompt("go");
  await expect.poll(() => lane.view().operation?.message?.state?.content).toEqual([say("hm")]);

  clock.advance(4_999);
  await new Promise(setImmediate);
  const early = lane.view().operation?.retry;
  clock.advance(1);
  await expect.poll(() => lane.view().operation?.retry?.reason).toMatch(/gave nothing for 5000 ms/);
  clock.advance(10_000);
  const { status } = await operation.settled;

  expect(early).toBeUndefined();
  expect(status).toBe("completed");
  expect(lane.view().transcript[1]).toMatchObject({ message: { content: [say("yes")] } });
});

test("[H6] [H20] an abort ends the wait for a model at once", async () => {
  const { lane } = await openSession({ model: createPartsModel([busy]), clock: createManualClock() });
  const operation = await lane.prompt("go");
  await expect.poll(() => lane.view().operation?.retry).toBeDefined();

  operation.abort("enough");

  expect(await operation.settled).toMatchObject({ status: "aborted", reason: "enough" });
});

test("[H23] an operation asks the model so many times, tries not counted", async () => {
  const work = [...stateCall("work"), finish("toolCalls")];
  const tools = [makeTool("work", () => undefined)];
  const { session, status, reason } = await ask([work, [busy], work, work], { tools, maxTurns: 2 });

  expect({ status, reason }).toMatchObject({ status: "failed", reason: expect.stringMatching(/2 times.*maxTurns/) });
  expect(session.lane.view().transcript.map(({ type }) => type)).toEqual([
    "user",
    "assistant",
    "tool",
    "assistant",
    "tool",
  ]);
});

test("[H24] what operations consume is in their end, and adds up in the lane, also after a restart", async () => {
  const storage = wrapStorage(await createMemoryStorage().create("session"), { close: () => Promise.resolve() });
  const usage = { inputTokens: 10, outputTokens: 2, costUsd: 0.5 };
  const model = createPartsModel(
    [...stateCall("work"), { type: "usage", usage }, finish("toolCalls")],
    [{ type: "usage", usage }, finish()],
    [{ type: "usage", usage }, finish()],
  );
  const tools = [makeTool("work", ({ out }) => out.usage({ costUsd: 0.25 }))];
  const { lane, events, harness } = await openSession({ model, storage, tools });

  const first = await (await lane.prompt("go")).settled;
  await (
    await lane.prompt("again")
  ).settled;
  await harness.close();
  const next = await openSession({ storage });
  const { record } = await readLane(storage, "main");

  expect(first.usage).toEqual({ inputTokens: 20, outputTokens: 4, costUsd: 1.25 });
  expect(events.find(({ type }) => type === "operation_end")).toMatchObject({ usage: first.usage });
  expect(next.lane.view().usage).toEqual(lane.view().usage);
  expect(lane.view().usage).toEqual({ inputTokens: 30, outputTokens: 6, costUsd: 1.75 });
  expect(record).toMatchObject({ usage, laneUsage: { inputTokens: 30, outputTokens: 6, costUsd: 1.75 } });
});
