import { expect, test } from "vitest";
import type { ModelPart } from "../models/index.js";
import type { ToolEntry } from "../protocol/index.js";
import { createMemoryStorage } from "../storage/index.js";
import type { SessionStorage } from "../storage/index.js";
import { createFakeEnv } from "./fixtures/fake-env.js";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import { makeMortal } from "./fixtures/mortal-storage.js";
import { call, openSession, text } from "./fixtures/session.js";
import { defer, makeTool } from "./fixtures/tools.js";
import { wrapStorage } from "./fixtures/wrapped-storage.js";
import { readLaneView } from "./history.js";

const SETTLE = { afterInterruption: "settle" } as const;

const forever = (): Promise<never> => new Promise(() => undefined);

/** A process that hangs in its call and is never heard of again. */
async function leaveHanging(
  session: SessionStorage,
  run: Parameters<typeof makeTool>[1],
  options: { readonly replay?: "safe"; readonly env?: ReturnType<typeof createFakeEnv>["env"] } = {},
): Promise<void> {
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const hung = defer();
  const { env, ...toolOptions } = options;
  const tool = makeTool(
    "work",
    async (site) => {
      await run(site);
      hung.resolve();
      await forever();
    },
    toolOptions,
  );
  const { lane } = await openSession({
    storage,
    turns: [[call("work", { n: 1 })]],
    tools: [tool],
    clock: createManualClock(),
    ...(env === undefined ? {} : { env }),
  });
  await lane.prompt("go");
  await hung.promise;
}

const callsIn = (transcript: readonly { readonly type: string }[]): ToolEntry[] =>
  transcript.filter((entry): entry is ToolEntry => entry.type === "tool");

const wordsOf = (entry: ToolEntry | undefined): string =>
  (entry?.output.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");

test("[H3] a call that cannot run again settles with the output that was stored and says that its effects may exist", async () => {
  const session = await createMemoryStorage().create("session");
  await leaveHanging(session, async ({ out, context }) => {
    out.write("line 1\n");
    await context.memo("checkpoint", () => true);
    out.write("line 2, shown and not stored\n");
  });

  const { harness, lane, events } = await openSession({
    storage: session,
    tools: [makeTool("work", forever)],
    recovery: SETTLE,
  });
  const before = lane.view();
  const report = await harness.recover();

  expect(before.operation?.tools).toMatchObject([
    { name: "work", args: { n: 1 }, output: { content: [{ text: "line 1\n" }] } },
  ]);
  expect(report.operations).toMatchObject([{ laneId: "main", outcome: "interrupted" }]);
  const [entry] = callsIn(lane.view().transcript);
  expect(entry).toMatchObject({ isError: true, stopped: "interrupted", output: { truncation: { totalBytes: 7 } } });
  expect(wordsOf(entry)).toMatch(/^line 1\n[^]*Interrupted[^]*effects may exist/);
  expect(wordsOf(entry)).not.toContain("line 2");
  expect(events.map(({ type }) => type)).toEqual(["operation_start", "tool_update", "tool_end", "operation_end"]);
  expect(events.at(-1)).toMatchObject({ status: "interrupted" });
});

test("[H3] the model is told the same words as the user", async () => {
  const session = await createMemoryStorage().create("session");
  await leaveHanging(session, ({ out }) => out.write("lost\n"));
  const { harness, lane, requests } = await openSession({
    storage: session,
    turns: [[], [text("I see.")]],
    recovery: SETTLE,
  });

  await harness.recover();
  await (
    await lane.prompt("what happened?")
  ).settled;

  const [entry] = callsIn(lane.view().transcript);
  const result = requests[0]?.messages.find(({ role }) => role === "tool");
  expect(result).toMatchObject({ isError: true, content: entry?.output.content });
});

test("[H3] an execution that was begun is stopped, what could not be is named, and so is its spill with the size that it has now", async () => {
  const session = await createMemoryStorage().create("session");
  const { env, spawned } = createFakeEnv();
  await leaveHanging(
    session,
    async ({ context }) => {
      void context.env.exec("make", { capture: { spill: true } }, context);
      await expect.poll(() => spawned).toHaveLength(1);
    },
    { env },
  );
  const stopped: string[] = [];

  const { harness, lane } = await openSession({
    storage: session,
    recovery: {
      ...SETTLE,
      async stopExecution({ marker }) {
        stopped.push(marker);
        return [{ pid: 77, command: "make -j" }];
      },
      spillBytes: async (path) => (path === "/spill/execution-1.log" ? 4_321 : undefined),
    },
  });
  await harness.recover();

  expect(stopped).toEqual(["marker-execution-1"]);
  expect(wordsOf(callsIn(lane.view().transcript)[0])).toContain("/spill/execution-1.log holds 4321 bytes");
  expect(wordsOf(callsIn(lane.view().transcript)[0])).toContain("Process 77 (make -j) could not be stopped");
});

test("[H2] an execution's plan is stored when it is spawned", async () => {
  const session = await createMemoryStorage().create("session");
  const keys: string[] = [];
  const { env, spawned } = createFakeEnv(async () => {
    const [scope] = await session.liveScopes();
    if (scope !== undefined) keys.push(...(await session.listKeys(scope)).map(({ key }) => key));
  });

  await leaveHanging(
    session,
    async ({ context }) => {
      void context.env.exec("make", {}, context);
      await expect.poll(() => spawned).toHaveLength(1);
    },
    { env },
  );

  expect(keys).toContainEqual(expect.stringMatching(/\/memo\/execution:execution-1$/));
});

test("[H3] a call that may run again does so on the output that it had, with its memos", async () => {
  const session = await createMemoryStorage().create("session");
  const write = async ({ out, context }: Parameters<Parameters<typeof makeTool>[1]>[0]): Promise<void> => {
    const part = await context.memo("part", () => 1);
    out.write(`part ${part}\n`);
    await context.memo("checkpoint", () => true);
  };
  await leaveHanging(session, write, { replay: "safe" });

  const { harness, lane } = await openSession({
    storage: session,
    tools: [makeTool("work", write, { replay: "safe" })],
    recovery: SETTLE,
  });
  const report = await harness.recover();

  expect(report.operations).toMatchObject([{ outcome: "interrupted" }]);
  const [entry] = callsIn(lane.view().transcript);
  expect(entry).toMatchObject({ isError: false });
  expect(entry).not.toHaveProperty("stopped");
  expect(wordsOf(entry)).toBe("part 1\npart 1\n");
  expect(await session.liveScopes()).toEqual([]);
});

test("[H3] an answer that broke off stays as far as it was stored, and its calls get results", async () => {
  const session = await createMemoryStorage().create("session");
  const clock = createManualClock();
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const taken = defer();
  const hanging = {
    id: "hanging",
    async *stream(): AsyncGenerator<ModelPart> {
      yield { type: "text", text: "I was about to" };
      yield { type: "toolCallStart", call: 0, name: "work" };
      yield { type: "toolCallInput", call: 0, text: '{"n":' };
      taken.resolve();
      await forever();
    },
  };
  const dying = await openSession({ storage, model: hanging, clock });
  await dying.lane.prompt("go");
  await taken.promise;
  clock.advance(2_000);
  await expect.poll(() => dying.harness.counters.messages.durableElements).toBeGreaterThan(0);

  const { harness, lane, requests } = await openSession({
    storage: session,
    turns: [[], [text("Yes?")]],
    recovery: SETTLE,
  });
  const before = lane.view();
  await harness.recover();
  await (
    await lane.prompt("go on")
  ).settled;

  expect(before.operation?.message?.state?.content[0]).toEqual({ type: "text", text: "I was about to" });
  const [, answer, result] = lane.view().transcript;
  expect(answer).toMatchObject({ type: "assistant", stopReason: "aborted" });
  expect(result).toMatchObject({ type: "tool", isError: true, stopped: "interrupted", args: '{"n":' });
  expect(requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
});

test("[H6] of three calls of which one had ended, the model gets three results, one real and two interrupted (X18)", async () => {
  const session = await createMemoryStorage().create("session");
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const tools = [makeTool("quick", ({ out }) => out.write("real\n")), makeTool("slow", forever)];
  const dying = await openSession({ storage, turns: [[call("slow"), call("quick"), call("slow")]], tools });
  await dying.lane.prompt("go");
  await expect.poll(() => dying.events.map(({ type }) => type)).toContain("tool_end");

  const { harness, lane, requests } = await openSession({
    storage: session,
    turns: [[], [text("I see.")]],
    recovery: SETTLE,
  });
  await harness.recover();
  await (
    await lane.prompt("and?")
  ).settled;

  expect(requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "tool", "user"]);
  expect(requests[0]?.messages.slice(2, 5)).toMatchObject([
    { toolName: "slow", isError: true },
    { toolName: "quick", isError: false, content: [{ text: "real\n" }] },
    { toolName: "slow", isError: true },
  ]);
  expect(
    callsIn(lane.view().transcript)
      .map(({ stopped }) => stopped ?? "done")
      .sort(),
  ).toEqual(["done", "interrupted", "interrupted"]);
});

test("[H7] recovery reads of an output at most the elements since the newest base", async () => {
  const session = await createMemoryStorage().create("session");
  await leaveHanging(session, async ({ out, context }) => {
    for (let index = 0; index < 500; index += 1) {
      out.write(`line ${index}\n`);
      await context.memo(`m${index % 3}`, () => index);
      await context.memo(`n${index}`, () => index);
    }
  });
  let elements = 0;
  const counted = wrapStorage(session, {
    async readList(address, options) {
      const page = await session.readList(address, options);
      if (address.scope.kind === "ephemeral") elements += page.elements.length;
      return page;
    },
  });

  const view = await readLaneView(counted, "main");

  expect(wordsOf({ output: view.operation?.tools[0]?.output } as ToolEntry).split("\n")).toHaveLength(501);
  expect(elements).toBeGreaterThan(1);
  expect(elements).toBeLessThanOrEqual(65);
});

test("[H1] recovery of a session without anything unsettled changes nothing", async () => {
  const session = await createMemoryStorage().create("session");
  const first = await openSession({
    storage: makeMortal(session, { lives: Infinity, acknowledged: true }).storage,
    turns: [[text("hi")]],
  });
  await (
    await first.lane.prompt("go")
  ).settled;
  await first.harness.close();

  const still = makeMortal(session, { lives: 0, acknowledged: true });
  const { harness, lane, events } = await openSession({ storage: still.storage });
  const report = await harness.recover();

  expect(report.operations).toEqual([]);
  expect(still.dead).toBe(false);
  expect(events).toEqual([]);
  expect(lane.view().transcript.map(({ type }) => type)).toEqual(["user", "assistant"]);
});
