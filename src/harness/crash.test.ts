import { expect, test } from "vitest";
import type { ToolEntry } from "../protocol/index.js";
import { createMemoryStorage } from "../storage/index.js";
import type { SessionStorage } from "../storage/index.js";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import { makeMortal } from "./fixtures/mortal-storage.js";
import { call, openSession, text } from "./fixtures/session.js";
import type { TestSession } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";
import { laneOperation } from "./addresses.js";
import { readLane } from "./history.js";
import { buildMessages } from "./request.js";

// A whole operation is killed at every one of its commits, just after it was acknowledged (in CI just before as well), and
// then recovered. Recovery is killed at every one of its own commits too; by default of every fourth operation.

const turns = [
  [text("I do three things."), call("effect", { id: "a" }), call("effect", { id: "b" }), call("read", { id: "c" })],
  [text("One more."), call("effect", { id: "d" })],
  [text("Done.")],
];

const isWhole = process.env["CI"] === "true";

/** What the tools did to the world, over all processes. */
type World = Map<string, number>;

function openProcess(storage: SessionStorage, world: World, isDead: () => boolean): Promise<TestSession> {
  const dying = (): Promise<void> => (isDead() ? new Promise(() => undefined) : Promise.resolve());
  const act = async (id: string): Promise<void> => {
    await dying();
    world.set(id, (world.get(id) ?? 0) + 1);
  };
  const effect = makeTool("effect", async ({ arg, out, context }) => {
    out.write(`${arg("id")} begins\n`);
    await context.memo("plan", () => `plan of ${arg("id")}`);
    await act(arg("id"));
    out.write(`${arg("id")} ends\n`);
  });
  const read = makeTool(
    "read",
    async ({ arg, out }) => {
      await act(arg("id"));
      out.replace(`${arg("id")} is read\n`);
    },
    { replay: "safe" },
  );
  return openSession({
    storage,
    turns,
    tools: [effect, read],
    clock: createManualClock(),
    recovery: { afterInterruption: "settle" },
  });
}

async function runUntilDeath(
  session: SessionStorage,
  world: World,
  lives: number,
  acknowledged: boolean,
): Promise<number> {
  const mortal = makeMortal(session, { lives, acknowledged });
  const { lane } = await openProcess(mortal.storage, world, () => mortal.dead);
  const settled = lane.prompt("go").then((operation) => operation.settled);
  await Promise.race([settled, mortal.died]);
  return mortal.commits;
}

async function recoverUntilDeath(session: SessionStorage, world: World, lives: number): Promise<number> {
  const mortal = makeMortal(session, { lives, acknowledged: false });
  const { harness } = await openProcess(mortal.storage, world, () => mortal.dead);
  await Promise.race([harness.recover(), mortal.died]);
  return mortal.commits;
}

async function checkRecovered(session: SessionStorage, world: World): Promise<string[]> {
  const { harness, lane, events } = await openProcess(session, world, () => false);
  const report = await harness.recover();
  const { transcript, record } = await readLane(session, "main");

  expect(report.operations.length).toBeLessThanOrEqual(1);
  expect(await session.liveScopes()).toEqual([]);
  expect([undefined, "completed", "interrupted"]).toContain(record?.status);
  const usage = record?.laneUsage === undefined ? {} : { usage: record.laneUsage };
  expect(lane.view()).toEqual({ transcript, operation: null, ...usage });
  expect(new Set(transcript.map(({ id }) => id)).size).toBe(transcript.length);
  expect(events.filter(({ type }) => type === "operation_end")).toHaveLength(report.operations.length);
  checkPairing(transcript);
  const entries = transcript.filter((entry) => entry.type === "tool");
  expect([...world].filter(([id, times]) => id !== "c" && times > 1)).toEqual([]);
  return entries.map((entry) => classify(entry, world));
}

/** Every call of every answer has one result, adjacent, in call order. */
function checkPairing(transcript: Parameters<typeof buildMessages>[0]): void {
  const stored = transcript.flatMap((entry) => (entry.type === "tool" ? [entry.toolCallId] : []));
  expect(new Set(stored).size).toBe(stored.length);
  const messages = buildMessages(transcript);
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const calls = message.content.filter((part) => part.type === "toolCall").map(({ toolCallId }) => toolCallId);
    const results = messages.slice(index + 1, index + 1 + calls.length);
    expect(results.map((result) => (result.role === "tool" ? result.toolCallId : result.role))).toEqual(calls);
    expect(calls.every((id) => stored.includes(id))).toBe(true);
  }
}

/** How often a call had its effect, and what its entry says of it. Checks that the two agree. */
function classify(entry: ToolEntry, world: World): string {
  const id = JSON.stringify(Reflect.get(Object(entry.args), "id")).replaceAll('"', "");
  const words = entry.output.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const times = world.get(id) ?? 0;
  const said = entry.stopped === undefined ? "done" : words.includes("no effects") ? "not run" : "uncertain";
  if (said === "done") expect(times).toBeGreaterThanOrEqual(1);
  if (said === "not run") expect(times).toBe(0);
  if (said === "uncertain") expect(words).toMatch(new RegExp(`^(${id} begins\n(${id} ends\n)?)?(?!.*begins)`));
  return `${said} ${entry.toolName === "read" ? "safe" : times}`;
}

test("[H3] an operation killed at any commit is settled by recovery, no call runs twice, and each says what is known", async () => {
  const whole = await runUntilDeath(await createMemoryStorage().create("whole"), new Map(), Infinity, true);
  const seen = new Set<string>();
  for (const acknowledged of isWhole ? [true, false] : [true]) {
    for (let lives = 0; lives <= whole; lives += 1) {
      const session = await createMemoryStorage().create("session");
      const world: World = new Map();
      await runUntilDeath(session, world, lives, acknowledged);
      for (const kind of await checkRecovered(session, world)) seen.add(kind);
    }
  }

  expect(whole).toBeGreaterThan(20);
  expect([...seen].sort()).toEqual(
    ["done 1", "done safe", "not run 0", "not run safe", "uncertain 0", "uncertain 1"].sort(),
  );
});

test("[H5] recovery killed at any of its own commits, and run again, leaves what one recovery leaves", async () => {
  const whole = await runUntilDeath(await createMemoryStorage().create("whole"), new Map(), Infinity, true);
  let interruptedRecoveries = 0;
  for (let lives = 1; lives < whole; lives += isWhole ? 1 : 4) {
    for (let recoveryLives = 0; ; recoveryLives += 1) {
      const session = await createMemoryStorage().create("session");
      const world: World = new Map();
      await runUntilDeath(session, world, lives, true);
      const commits = await recoverUntilDeath(session, world, recoveryLives);
      await checkRecovered(session, world);
      await checkRecovered(session, world);
      if (commits < recoveryLives) break;
      interruptedRecoveries += 1;
    }
  }

  expect(interruptedRecoveries).toBeGreaterThan(isWhole ? whole : 8);
});

test("[H1] opening a killed session writes nothing, and its lane takes no prompt before recovery", async () => {
  const session = await createMemoryStorage().create("session");
  await runUntilDeath(session, new Map(), 8, true);
  const before = await session.readValue(laneOperation("main"));

  const reopened = makeMortal(session, { lives: 0, acknowledged: true });
  const { lane } = await openProcess(reopened.storage, new Map(), () => false);

  await expect(lane.prompt("next")).rejects.toMatchObject({ code: "unsettled" });
  expect(reopened.dead).toBe(false);
  expect(lane.view().operation).toMatchObject({ abandoned: true });
  expect(await session.readValue(laneOperation("main"))).toEqual(before);
});
