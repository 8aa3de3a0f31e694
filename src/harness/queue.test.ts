import { expect, test } from "vitest";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import type { ModelMessage } from "../models/index.js";
import { createMemoryStorage } from "../storage/index.js";
import { makeMortal } from "./fixtures/mortal-storage.js";
import { createPartsModel, finish, say, stateCall } from "./fixtures/parts-model.js";
import type { PartStep } from "./fixtures/parts-model.js";
import { openSession } from "./fixtures/session.js";
import type { TestSession } from "./fixtures/session.js";
import { defer, makeTool } from "./fixtures/tools.js";
import { readLane } from "./history.js";
import { MAX_QUEUED_MESSAGES } from "./queue.js";

const forever = (): Promise<never> => new Promise(() => undefined);

const words = (messages: readonly ModelMessage[] | undefined): string[] =>
  (messages ?? []).map((message) => (message.role === "user" ? message.text : message.role));

/** A lane whose first answer waits until it is let go. */
async function openWaiting(
  rest: readonly (readonly PartStep[])[],
  first: readonly PartStep[] = [finish()],
): Promise<TestSession & { readonly model: ReturnType<typeof createPartsModel>; readonly letGo: () => void }> {
  const gate = defer();
  const model = createPartsModel([gate.promise, ...first], ...rest);
  const tools = [makeTool("work", () => undefined)];
  const session = await openSession({ model, tools });
  return { ...session, model, letGo: () => gate.resolve() };
}

test("[H25] what steers joins at the next request, after the results of the calls, and is in view until then", async () => {
  const first = [...stateCall("work"), finish("toolCalls")];
  const { lane, model, letGo, events } = await openWaiting([[say("I see."), finish()]], first);
  const operation = await lane.prompt("go");

  const one = await lane.steer("to the left");
  await lane.steer("and slowly");
  const queued = lane.view().queue;
  letGo();
  await operation.settled;

  expect(queued).toMatchObject([{ id: one.id, kind: "steer", text: "to the left" }, { text: "and slowly" }]);
  expect(words(model.requests[1]?.messages)).toEqual(["go", "assistant", "tool", "to the left", "and slowly"]);
  expect(lane.view()).not.toHaveProperty("queue");
  expect(lane.view().transcript[3]).toMatchObject({ id: one.id, operationId: operation.id, queuedAs: "steer" });
  expect(events.filter(({ type }) => type === "entry_added")).toHaveLength(3);
});

test("[H25] an operation that would end goes on with what steers, then with what follows up, one at a time", async () => {
  const { lane, model, letGo } = await openWaiting([]);
  const operation = await lane.prompt("go");

  await lane.followUp("then this");
  await lane.followUp("and that");
  await lane.steer("first here");
  letGo();
  const { status } = await operation.settled;

  expect(status).toBe("completed");
  expect(words(model.requests.at(-1)?.messages).filter((word) => word !== "assistant")).toEqual([
    "go",
    "first here",
    "then this",
    "and that",
  ]);
  expect(model.requests).toHaveLength(4);
});

test("[H25] what has not joined an operation that was stopped waits for the next one", async () => {
  const { lane, model } = await openWaiting([]);
  const operation = await lane.prompt("go");
  await lane.steer("wait for me");
  operation.abort();
  await operation.settled;
  const left = lane.view().queue;

  await (
    await lane.prompt("again")
  ).settled;

  expect(left).toMatchObject([{ text: "wait for me" }]);
  expect(words(model.requests.at(-1)?.messages)).toEqual(["go", "again", "wait for me"]);
});

test("[H25] a message that came as the operation ended is refused or joins, and is never lost", async () => {
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const { lane, model, letGo, storage } = await openWaiting([]);
    const operation = await lane.prompt("go");
    letGo();
    for (let turns = 0; turns < rounds; turns += 1) await Promise.resolve();
    const said = await lane.steer("late").then(
      () => "joined",
      (error: unknown) => Reflect.get(Object(error), "code") as unknown,
    );
    await operation.settled;

    expect(["joined", "lane_idle"]).toContain(said);
    expect(words(model.requests.at(-1)?.messages).includes("late"), `after ${rounds}`).toBe(said === "joined");
    expect((await readLane(storage, "main")).queue).toEqual([]);
  }
});

test("[H26] a message is durable when it is acknowledged, and joins after a restart", async () => {
  const session = await createMemoryStorage().create("session");
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const dying = await openSession({ storage, model: createPartsModel([forever()]), clock: createManualClock() });
  await dying.lane.prompt("go");
  await dying.lane.steer("remember me");
  await dying.lane.followUp("and me");

  const model = createPartsModel([finish()], [finish()]);
  const { harness, lane } = await openSession({ storage: session, model });
  const before = lane.view().queue;
  await harness.recover();

  expect(before).toMatchObject([{ text: "remember me" }, { text: "and me" }]);
  expect(model.requests.map(({ messages }) => words(messages))).toEqual([
    ["go", "remember me"],
    ["go", "remember me", "assistant", "and me"],
  ]);
  expect(lane.view()).not.toHaveProperty("queue");
});

test("[H26] a message can be taken back until it joins", async () => {
  const { lane, model, letGo } = await openWaiting([]);
  const operation = await lane.prompt("go");
  const { id } = await lane.steer("no");

  expect(await lane.withdraw(id)).toBe(true);
  expect(await lane.withdraw(id)).toBe(false);
  expect(lane.view()).not.toHaveProperty("queue");
  letGo();
  await operation.settled;

  expect(model.requests).toHaveLength(1);
});

test("[H26] a queue has limits, and a lane where nothing runs has none to join", async () => {
  const { lane } = await openWaiting([]);
  await expect(lane.steer("hello?")).rejects.toMatchObject({ code: "lane_idle" });
  const operation = await lane.prompt("go");

  await expect(lane.steer("")).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(lane.steer("x".repeat(65_537))).rejects.toMatchObject({ code: "invalid_argument" });
  for (let count = 0; count < MAX_QUEUED_MESSAGES; count += 1) await lane.followUp(`message ${count}`);
  await expect(lane.steer("one more")).rejects.toMatchObject({
    code: "queue_full",
    message: expect.stringMatching(/32 messages .*65536 bytes/),
  });
  operation.abort();
  await operation.settled;
});
