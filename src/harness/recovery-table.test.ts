import { expect, test } from "vitest";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import type { ModelPart } from "../models/index.js";
import type { Entry, HarnessEvent, ToolEntry } from "../protocol/index.js";
import { createMemoryStorage } from "../storage/index.js";
import type { SessionStorage } from "../storage/index.js";
import { makeMortal } from "./fixtures/mortal-storage.js";
import { createPartsModel, finish, say, stateCall } from "./fixtures/parts-model.js";
import { call, openSession, text } from "./fixtures/session.js";
import type { TestSession } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";
import { readLane } from "./history.js";

// The rows of docs/recovery.md. A process is killed right after a commit that a row names, and so before what follows it;
// what the next one finds, does and tells the model is checked. Approvals have theirs in permission/permission.test.ts.

const turns = [[text("I work."), call("effect", { id: "a" }), call("read", { id: "b" })], [text("Done.")]];

/** What the tools did, over all processes. */
type World = string[];

function openProcess(storage: SessionStorage, world: World, isDead: () => boolean = () => false): Promise<TestSession> {
  const act = (what: string): Promise<void> | void =>
    isDead() ? new Promise<void>(() => undefined) : void world.push(what);
  const effect = makeTool("effect", async ({ arg, out, context }) => {
    out.write("begins\n");
    await context.memo("plan", () => "planned");
    await act(`effect ${arg("id")}`);
    out.write("ends\n");
  });
  const read = makeTool("read", async ({ out }) => (await act("read"), out.replace("read\n")), { replay: "safe" });
  return openSession({ storage, turns, tools: [effect, read], clock: createManualClock(), maxParallelCalls: 1 });
}

interface Death {
  readonly session: SessionStorage;
  readonly world: World;
  /** What the process had told its viewers. */
  readonly events: readonly HarnessEvent[];
}

/** A process that dies right after so many commits, told of the last or not. */
async function die(lives: number, acknowledged: boolean): Promise<Death & { readonly isWhole: boolean }> {
  const session = await createMemoryStorage().create("session");
  const world: World = [];
  const mortal = makeMortal(session, { lives, acknowledged });
  const { lane, events } = await openProcess(mortal.storage, world, () => mortal.dead);
  const settled = lane.prompt("go").then((operation) => operation.settled);
  await Promise.race([settled, mortal.died]);
  return { session, world, events, isWhole: mortal.commits < lives };
}

/** Which row of the table a stored lane is in. */
async function findRow(session: SessionStorage): Promise<string> {
  const { record, transcript, unsettled } = await readLane(session, "main");
  if (record === undefined) return "nothing accepted";
  if (unsettled === undefined) return "settled";
  if (unsettled.message !== undefined) return "model streaming";
  if (transcript.length === 1) return "prompt accepted";
  const running = unsettled.calls.find(({ output }) => output !== undefined);
  if (running !== undefined) return running.memos.size > 0 ? "memo written" : `${running.toolName} running`;
  if (unsettled.calls.length > 0) return transcript.length === 2 ? "call validated" : "one result committed";
  return "results committed";
}

const resultsIn = (transcript: readonly Entry[]): ToolEntry[] => transcript.filter((entry) => entry.type === "tool");

const wordsOf = ({ output }: ToolEntry): string =>
  output.content.map((block) => (block.type === "text" ? block.text : "")).join("");

test("[H34] an operation killed at any commit goes on to its end: every row of the table is met, and does what it says", async () => {
  const rows = new Map<string, string>();
  for (const acknowledged of [true, false]) {
    for (let lives = 1; ; lives += 1) {
      const { session, world, isWhole } = await die(lives, acknowledged);
      if (isWhole) break;
      const row = await findRow(session);
      const { harness, lane, requests } = await openProcess(session, world);
      const { operations } = await harness.recover();
      const { transcript, record } = await readLane(session, "main");

      const place = `${row}, after ${lives} commits`;
      expect(operations, `at ${place}`).toMatchObject(
        row === "settled" ? [] : [{ outcome: "resumed", status: "completed" }],
      );
      expect(record?.status, `at ${place}`).toBe("completed");
      expect(
        transcript.map(({ type }) => type),
        `at ${place}`,
      ).toEqual(["user", "assistant", "tool", "tool", "assistant"]);
      expect(lane.view().transcript, `at ${place}`).toEqual(transcript);
      expect(await session.liveScopes(), `at ${place}`).toEqual([]);
      expect(world.filter((what) => what === "effect a").length, `at ${place}`).toBeLessThanOrEqual(1);
      const [effect] = resultsIn(transcript).filter(({ toolName }) => toolName === "effect");
      const told = requests
        .at(-1)
        ?.messages.find((message) => message.role === "tool" && message.toolName === "effect");
      expect(row === "settled" ? effect?.output : told, `at ${place}`).toMatchObject({
        content: effect?.output.content,
      });
      const fate =
        effect?.stopped === undefined ? "done" : /effects may exist/.test(wordsOf(effect)) ? "uncertain" : "not run";
      expect(fate !== "done" || world.includes("effect a"), `at ${place}`).toBe(true);
      rows.set(row, [...new Set([...(rows.get(row)?.split(" or ") ?? []), fate])].sort().join(" or "));
    }
  }

  expect(Object.fromEntries(rows)).toEqual({
    "prompt accepted": "done",
    "model streaming": "done",
    "call validated": "done",
    "effect running": "uncertain",
    "memo written": "uncertain",
    "one result committed": "done",
    "read running": "done",
    "results committed": "done",
    settled: "done",
  });
});

/** A process that had stored so much of an answer. */
async function leaveStreaming(parts: readonly ModelPart[]): Promise<SessionStorage> {
  const session = await createMemoryStorage().create("session");
  const clock = createManualClock();
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const model = createPartsModel([...parts, new Promise(() => undefined)]);
  const dying = await openSession({ storage, model, clock });
  await dying.lane.prompt("go");
  await expect.poll(() => dying.lane.view().operation?.message).toBeDefined();
  await new Promise(setImmediate);
  clock.advance(2_000);
  await expect.poll(() => dying.harness.counters.messages.durableElements).toBeGreaterThan(0);
  return session;
}

test("[H34] an answer that was being received is asked for again, in the same message; what it had said is not told to the model", async () => {
  const session = await leaveStreaming([say("I was ab"), ...stateCall("work").slice(0, 2)]);
  const model = createPartsModel([say("Here."), finish()]);
  const { harness, lane, events } = await openSession({ storage: session, model });
  const before = lane.view().operation?.message;
  await harness.recover();

  expect(before?.state?.content[0]).toEqual(say("I was ab"));
  expect(model.requests.map(({ messages }) => messages)).toEqual([[{ role: "user", text: "go" }]]);
  expect(lane.view().transcript.slice(1)).toMatchObject([{ type: "assistant", message: { content: [say("Here.")] } }]);
  expect(events.filter(({ type }) => type.startsWith("message"))).toMatchObject([
    { type: "message_update", messageId: before?.id, ops: [["r", { content: [say("Here.")] }]] },
    { type: "message_end", messageId: before?.id },
  ]);
});

test("[H34] what had been said stays where the operation is stopped before the model speaks again", async () => {
  const session = await leaveStreaming([say("I was ab")]);
  const { harness, lane } = await openSession({
    storage: session,
    model: createPartsModel([new Promise(() => undefined)]),
  });
  const recovering = harness.recover();
  lane.abort("enough");

  expect((await recovering).operations).toMatchObject([{ status: "aborted", reason: "enough" }]);
  expect(lane.view().transcript[1]).toMatchObject({ stopReason: "aborted", message: { content: [say("I was ab")] } });
});

test("[H34] calls of an answer that broke off are never begun", async () => {
  const session = await createMemoryStorage().create("session");
  const mortal = makeMortal(session, { lives: Infinity, acknowledged: true });
  const ran: string[] = [];
  const tools = [makeTool("work", () => void ran.push("work"))];
  const model = createPartsModel([...stateCall("work"), finish("maxTokens")]);
  const dying = await openSession({ storage: mortal.storage, model, tools });
  dying.lane.subscribe({
    open: () => undefined,
    receive: (group) => void (group.some(({ type }) => type === "message_end") && mortal.kill()),
    end: () => undefined,
  });
  await dying.lane.prompt("go");
  await mortal.died;

  const next = await openSession({ storage: session, model: createPartsModel(), tools });
  const { operations } = await next.harness.recover();

  expect(operations).toMatchObject([{ outcome: "interrupted", status: "failed" }]);
  expect(resultsIn(next.lane.view().transcript)).toMatchObject([{ isError: true }]);
  expect(ran).toEqual([]);
});

test("[H34] the limit of turns holds over restarts", async () => {
  const session = await createMemoryStorage().create("session");
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const work = [...stateCall("work"), finish("toolCalls")];
  const tools = [makeTool("work", () => undefined)];
  const dying = await openSession({ storage, model: createPartsModel(work, [new Promise(() => undefined)]), tools });
  await dying.lane.prompt("go");
  await expect.poll(() => dying.requests).toHaveLength(2);

  const { harness } = await openSession({ storage: session, model: createPartsModel(work), tools, maxTurns: 2 });

  expect((await harness.recover()).operations).toMatchObject([
    { status: "failed", reason: expect.stringMatching(/maxTurns/) },
  ]);
});
