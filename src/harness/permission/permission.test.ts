import { z } from "zod";
import { expect, test } from "vitest";
import { createManualClock } from "../../exec/output/fixtures/manual-clock.js";
import type { ToolEntry } from "../../protocol/index.js";
import { createMemoryStorage } from "../../storage/index.js";
import type { SessionStorage } from "../../storage/index.js";
import type { Harness, HarnessOptions, Lane } from "../contract.js";
import { sessionPolicy } from "../addresses.js";
import { makeMortal } from "../fixtures/mortal-storage.js";
import { call, openSession, text } from "../fixtures/session.js";
import type { TestSession } from "../fixtures/session.js";
import { makeTool } from "../fixtures/tools.js";
import { readLane } from "../history.js";
import type { PermissionPolicy } from "./contract.js";

const ASK: PermissionPolicy = { tools: { work: "ask" }, others: "allow" };

interface Stage extends TestSession {
  /** What the tool was given, over all processes of the stage's storage. */
  readonly given: string[];
}

async function open(options: Partial<HarnessOptions> = {}, given: string[] = []): Promise<Stage> {
  const parameters = z.strictObject({ n: z.number().max(99) });
  const work = makeTool("work", ({ arg, out }) => (given.push(arg("n")), out.write("worked\n")), { parameters });
  const other = makeTool("other", ({ out }) => out.write("other\n"));
  const turns = [[call("work", { n: 1 }), call("other")], [text("Done.")], [call("work", { n: 2 })], [text("Done.")]];
  return { ...(await openSession({ turns, tools: [work, other], clock: createManualClock(), ...options })), given };
}

const resultsIn = (lane: Lane): ToolEntry[] =>
  lane.view().transcript.filter((entry): entry is ToolEntry => entry.type === "tool");

const wordsOf = (entry: ToolEntry | undefined): string =>
  (entry?.output.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");

/** The call of `work`, once it waits for a decision. */
async function pendingCall({ lane }: Pick<Stage, "lane">): Promise<string> {
  const find = (): string | undefined => lane.view().operation?.tools.find((tool) => tool.pendingApproval)?.id;
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

async function settle(stage: Stage): Promise<ToolEntry | undefined> {
  await (
    await stage.lane.prompt("go")
  ).settled;
  return resultsIn(stage.lane).find(({ toolName }) => toolName === "work");
}

test("[H27] a hook can allow a call, block it with a reason, or leave it to the policy", async () => {
  const allowed = await open({ policy: ASK, beforeTool: () => ({ decision: "allow" }) });
  const blocked = await open({ beforeTool: ({ toolName }) => (toolName === "work" ? block("not today") : undefined) });
  const left = await open({ beforeTool: () => undefined });

  expect(await settle(allowed)).toMatchObject({ isError: false });
  expect(wordsOf(await settle(blocked))).toContain("not today");
  expect(await settle(left)).toMatchObject({ isError: false });
  expect([allowed.given, blocked.given, left.given]).toEqual([["1"], [], ["1"]]);
  expect(blocked.requests[1]?.messages.find(({ role }) => role === "tool")).toMatchObject({ isError: true });
});

test("[H27] a hook can change the arguments: the schema judges them, and the record keeps both", async () => {
  const changed = await open({ beforeTool: ({ toolName }) => (toolName === "work" ? change({ n: 7 }) : undefined) });
  const wrong = await open({ beforeTool: ({ toolName }) => (toolName === "work" ? change({ n: 700 }) : undefined) });

  expect(await settle(changed)).toMatchObject({ isError: false, args: { n: 1 }, changedArgs: { n: 7 } });
  expect((await readLane(changed.storage, "main")).transcript).toEqual(changed.lane.view().transcript);
  expect(await settle(wrong)).toMatchObject({ isError: true, args: { n: 1 }, changedArgs: { n: 700 } });
  expect([changed.given, wrong.given]).toEqual([["7"], []]);
});

test("[H27] a hook that fails lets nothing through, and one that hangs does not hold an abort", async () => {
  const failing = await open({
    beforeTool: () => {
      throw new Error("no connection");
    },
  });
  const hanging = await open({ beforeTool: () => new Promise(() => undefined) });

  expect(wordsOf(await settle(failing))).toContain("no connection");
  const operation = await hanging.lane.prompt("go");
  await expect.poll(() => hanging.lane.view().transcript.length).toBe(2);
  operation.abort("enough");

  expect(await operation.settled).toMatchObject({ status: "aborted" });
  expect(resultsIn(hanging.lane)).toMatchObject([{ stopped: "aborted" }, { stopped: "aborted" }]);
  expect([failing.given, hanging.given]).toEqual([[], []]);
});

test("[H27] the policy refuses whatever a hook says", async () => {
  const refused = await open({
    policy: { tools: { work: "refuse" }, others: "allow" },
    beforeTool: () => ({ decision: "allow" }),
  });

  expect(await settle(refused)).toMatchObject({ isError: true });
  expect(refused.given).toEqual([]);
});

test("[H28] a call that must be asked for waits in sight, holds no other call, and runs once it is allowed", async () => {
  const stage = await open({ policy: ASK, maxParallelCalls: 1 });
  const operation = await stage.lane.prompt("go");
  const id = await pendingCall(stage);
  await expect.poll(() => resultsIn(stage.lane)).toMatchObject([{ toolName: "other", isError: false }]);
  const before = [...stage.given];

  await stage.lane.approve(id, { decision: "allow" });
  const { status } = await operation.settled;

  expect(before).toEqual([]);
  expect({ status, given: stage.given }).toEqual({ status: "completed", given: ["1"] });
  expect(resultsIn(stage.lane)[1]).toMatchObject({ toolCallId: id, approval: { decision: "allow" } });
  expect(
    stage.events.filter((event) => "toolCallId" in event && event.toolCallId === id).map(({ type }) => type),
  ).toEqual([
    "tool_start",
    "approval_request",
    "approval_end",
    "tool_update",
    "tool_update",
    "tool_update",
    "tool_end",
  ]);
  expect((await readLane(stage.storage, "main")).transcript).toEqual(stage.lane.view().transcript);
});

test("[H28] a denial is a result with its reason, and no call waits twice", async () => {
  const stage = await open({ policy: ASK });
  const operation = await stage.lane.prompt("go");
  const id = await pendingCall(stage);

  const both = await Promise.allSettled([
    stage.lane.approve(id, { decision: "deny", reason: "use the other one" }),
    stage.lane.approve(id, { decision: "allow" }),
  ]);
  await operation.settled;

  expect(both).toMatchObject([{ status: "fulfilled" }, { status: "rejected", reason: { code: "unknown_approval" } }]);
  expect(stage.given).toEqual([]);
  const denied = resultsIn(stage.lane).find(({ toolName }) => toolName === "work");
  expect(denied).toMatchObject({ isError: true, approval: { decision: "deny", reason: "use the other one" } });
  expect(wordsOf(denied)).toContain("denied: use the other one");
  await expect(stage.lane.approve(id, { decision: "allow" })).rejects.toMatchObject({ code: "unknown_approval" });
});

test("[H28] an abort ends the wait for a decision", async () => {
  const stage = await open({ policy: ASK });
  const operation = await stage.lane.prompt("go");
  await pendingCall(stage);

  operation.abort("enough");

  expect(await operation.settled).toMatchObject({ status: "aborted", reason: "enough" });
  expect(stage.given).toEqual([]);
  expect(stage.lane.view().operation).toBeNull();
});

test("[H29] the policy is stored with the session and changes with a decision for always", async () => {
  const storage = await createMemoryStorage().create("session");
  const kept = makeMortal(storage, { lives: Infinity, acknowledged: true }).storage;
  const stage = await open({ policy: ASK, storage: kept });
  const operation = await stage.lane.prompt("go");
  const asked = await storage.readValue(sessionPolicy);
  await stage.lane.approve(await pendingCall(stage), { decision: "allow", always: true });
  await operation.settled;

  const { given, harness, lane } = await open({ storage }, stage.given);
  await (
    await lane.prompt("again")
  ).settled;

  expect(asked).toEqual(ASK);
  expect(harness.policy).toEqual({ tools: { work: "allow" }, others: "allow" });
  expect(await storage.readValue(sessionPolicy)).toEqual(harness.policy);
  expect(given).toEqual(["1", "2"]);
});

test("[H29] what is no policy, or no decision, is refused", async () => {
  const { harness, lane, storage } = await open();
  const wrong = { tools: { work: "maybe" }, others: "allow" } as unknown as PermissionPolicy;

  await expect(harness.setPolicy(wrong)).rejects.toMatchObject({ code: "invalid_argument" });
  await expect(open({ policy: { ...wrong, tools: {}, others: undefined as never } })).rejects.toMatchObject({
    code: "invalid_argument",
  });
  await expect(lane.approve("call_1", { decision: "allow" })).rejects.toMatchObject({ code: "unknown_approval" });
  await harness.setPolicy(ASK);
  expect(await storage.readValue(sessionPolicy)).toEqual(ASK);
});

/** A process that asks and dies, or is closed, before anyone decides. */
async function leaveAsking(session: SessionStorage, given: string[], isKilled: boolean): Promise<Harness> {
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const changing = {
    beforeTool: ({ toolName }: { toolName: string }) => (toolName === "work" ? change({ n: 5 }) : undefined),
  };
  const stage = await open({ policy: ASK, storage, ...changing }, given);
  const operation = await stage.lane.prompt("go");
  await pendingCall(stage);
  await expect.poll(() => resultsIn(stage.lane)).toHaveLength(1);
  if (isKilled) return stage.harness;
  await stage.harness.close();
  expect(await operation.settled).toMatchObject({ status: "interrupted" });
  return stage.harness;
}

test.each([
  ["was killed", true],
  ["was closed", false],
])(
  "[H30] an approval outlives the process that asked and %s; recovery waits on and never runs the tool",
  async (_how, isKilled) => {
    const session = await createMemoryStorage().create("session");
    const given: string[] = [];
    await leaveAsking(session, given, isKilled);

    const stage = await open({ storage: session }, given);
    const before = stage.lane.view().operation;
    const id = before?.tools[0]?.id ?? "";
    await expect(stage.lane.approve(id, { decision: "allow" })).rejects.toMatchObject({ code: "unsettled" });
    const recovering = stage.harness.recover();
    await expect.poll(() => stage.lane.view().operation?.abandoned).toBeUndefined();
    await new Promise(setImmediate);
    const untilDecided = [...given];
    await expect
      .poll(() =>
        stage.lane.approve(id, { decision: "allow" }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const { operations } = await recovering;

    expect(before).toMatchObject({ abandoned: true, tools: [{ name: "work", args: { n: 1 }, changedArgs: { n: 5 } }] });
    expect(before?.tools[0]).toHaveProperty("pendingApproval");
    expect(untilDecided).toEqual([]);
    expect(given).toEqual(["5"]);
    expect(operations).toMatchObject([{ outcome: "resumed", status: "completed" }]);
  },
);

test("[H30] a decision that was stored and not acted on is not asked for again", async () => {
  for (const decision of ["allow", "deny"] as const) {
    const session = await createMemoryStorage().create("session");
    const mortal = makeMortal(session, { lives: Infinity, acknowledged: true });
    const stage = await open({ policy: ASK, storage: mortal.storage });
    await stage.lane.prompt("go");
    const id = await pendingCall(stage);
    await expect.poll(() => resultsIn(stage.lane)).toHaveLength(1);
    const approving = stage.lane.approve(id, { decision });
    await expect.poll(async () => (await readLane(session, "main")).unsettled?.calls[0]?.approval).toBeDefined();
    mortal.kill();
    void approving;

    const next = await open({ storage: session }, stage.given);
    await next.harness.recover();

    expect(resultsIn(next.lane).find(({ toolCallId }) => toolCallId === id)?.approval).toMatchObject({ decision });
  }
});

function block(reason: string): { decision: "block"; reason: string } {
  return { decision: "block", reason };
}

function change(args: { n: number }): { decision: "change"; args: { n: number } } {
  return { decision: "change", args };
}
