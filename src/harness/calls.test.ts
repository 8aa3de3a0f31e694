import { expect, test } from "vitest";
import { z } from "zod";
import type { ModelMessage } from "../models/index.js";
import type { ToolEntry } from "../protocol/index.js";
import { ABORT_GRACE_MS } from "./call.js";
import { createManualClock } from "../exec/output/fixtures/manual-clock.js";
import { call, openSession, text } from "./fixtures/session.js";
import { defer, makeTool } from "./fixtures/tools.js";
import type { TestSession } from "./fixtures/session.js";

const callsOf = (session: TestSession): ToolEntry[] =>
  session.lane.view().transcript.filter((entry) => entry.type === "tool");

const textsOf = (messages: readonly ModelMessage[] = []): string[] =>
  messages.flatMap((message) =>
    message.role === "tool" ? [message.content.map((block) => (block.type === "text" ? block.text : "")).join("")] : [],
  );

test("[H6] calls run side by side up to the limit, and the model gets results in call order", async () => {
  const gates = Array.from({ length: 4 }, () => defer());
  let running = 0;
  let most = 0;
  const wait = makeTool("wait", async ({ arg, out }) => {
    running += 1;
    most = Math.max(most, running);
    await gates[Number(arg("gate"))]?.promise;
    running -= 1;
    out.write(`gate ${arg("gate")}`);
  });
  const session = await openSession({
    turns: [[0, 1, 2, 3].map((gate) => call("wait", { gate })), []],
    tools: [wait],
    maxParallelCalls: 3,
  });

  const operation = await session.lane.prompt("go");
  await expect.poll(() => running).toBe(3);
  for (const gate of [...gates].reverse()) gate.resolve();
  await operation.settled;

  expect(most).toBe(3);
  expect(textsOf(session.requests[1]?.messages)).toEqual(["gate 0", "gate 1", "gate 2", "gate 3"]);
});

test("[H6] the order in which calls end does not change the order in which the model gets them", async () => {
  const first = defer();
  const tools = [
    makeTool("slow", async ({ out }) => {
      await first.promise;
      out.write("slow");
    }),
    makeTool("quick", ({ out }) => out.write("quick")),
  ];
  const session = await openSession({ turns: [[call("slow"), call("quick")], []], tools });
  session.lane.subscribe({
    open: () => undefined,
    receive: (group) => group.some(({ type }) => type === "tool_end") && first.resolve(),
    end: () => undefined,
  });

  await (
    await session.lane.prompt("go")
  ).settled;

  expect(callsOf(session).map(({ toolName }) => toolName)).toEqual(["quick", "slow"]);
  expect(textsOf(session.requests[1]?.messages)).toEqual(["slow", "quick"]);
});

test("[H6] a call of a tool that is not there gets a failed result that names those that are", async () => {
  const tool = makeTool("bash", () => undefined);
  const session = await openSession({ turns: [[call("bsh")], [text("I see.")]], tools: [tool] });

  const { status } = await (await session.lane.prompt("go")).settled;

  expect(status).toBe("completed");
  expect(callsOf(session)).toMatchObject([{ toolName: "bsh", isError: true }]);
  expect(textsOf(session.requests[1]?.messages).join()).toMatch(/no tool "bsh".*bash/);
});

test("[T7] arguments that do not fit give a failed result that names the field, and the tool does not run", async () => {
  let runs = 0;
  const tool = makeTool("bash", () => void (runs += 1), { parameters: z.object({ command: z.string() }) });
  const session = await openSession({ turns: [[call("bash", { command: 7 })], []], tools: [tool] });

  await (
    await session.lane.prompt("go")
  ).settled;

  expect(runs).toBe(0);
  expect(callsOf(session)).toMatchObject([{ isError: true }]);
  expect(textsOf(session.requests[1]?.messages).join()).toContain("command");
});

test("[T1] a tool that throws nothing in particular has failed all the same", async () => {
  const tool = makeTool("mute", () => Promise.reject(undefined));
  const session = await openSession({ turns: [[call("mute")], []], tools: [tool] });

  await (
    await session.lane.prompt("go")
  ).settled;

  expect(callsOf(session)).toMatchObject([{ isError: true }]);
  expect(textsOf(session.requests[1]?.messages)).toEqual(["The tool failed and did not say why."]);
});

test("[H6] a tool that throws, at once or later, gives a failed result with its words and what it wrote", async () => {
  const tools = [
    {
      ...makeTool("now", () => undefined),
      execute() {
        throw new Error("at once");
      },
    },
    makeTool("later", async ({ out }) => {
      out.write("kept\n");
      await Promise.resolve();
      throw new Error("later on");
    }),
  ];
  const session = await openSession({ turns: [[call("now"), call("later")], []], tools });

  const { status } = await (await session.lane.prompt("go")).settled;

  expect(status).toBe("completed");
  const [now, later] = textsOf(session.requests[1]?.messages);
  expect(now).toContain("at once");
  expect(later).toMatch(/^kept\n[^]*later on/);
  expect(callsOf(session).map(({ isError }) => isError)).toEqual([true, true]);
});

test("[H6] an abort settles a call that stops, one that never does, and one that had not begun", async () => {
  const clock = createManualClock();
  const begun = defer();
  const tools = [
    makeTool("obedient", ({ signal, out }) => {
      out.write("partial\n");
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("I stop"))));
    }),
    makeTool("deaf", () => {
      begun.resolve();
      return new Promise(() => undefined);
    }),
  ];
  const session = await openSession({
    turns: [[call("obedient"), call("deaf"), call("deaf")]],
    tools,
    clock,
    maxParallelCalls: 2,
  });

  const operation = await session.lane.prompt("go");
  await begun.promise;
  operation.abort("enough");
  await expect.poll(() => callsOf(session)).toHaveLength(2);
  clock.advance(ABORT_GRACE_MS - 1);
  const withinGrace = callsOf(session).length;
  clock.advance(1);
  const result = await operation.settled;

  expect(ABORT_GRACE_MS).toBeLessThan(3_000);
  expect(withinGrace).toBe(2);
  expect(result).toMatchObject({ status: "aborted", reason: "enough" });
  expect(callsOf(session).map(({ isError, stopped }) => [isError, stopped])).toEqual(
    Array.from({ length: 3 }, () => [true, "aborted"]),
  );
  expect(JSON.stringify(callsOf(session)[0])).toMatch(/partial.*I stop/);
  expect(JSON.stringify(callsOf(session)[1])).toMatch(/not run/);
  expect(JSON.stringify(callsOf(session)[2])).toMatch(/had not stopped/);
  expect(await session.storage.liveScopes()).toEqual([]);
});

test("[H6] a tool that goes on after its call was settled without it changes nothing any more", async () => {
  const clock = createManualClock();
  const begun = defer();
  const released = defer();
  const late: unknown[] = [];
  const zombie = makeTool("zombie", async ({ out, context }) => {
    begun.resolve();
    await released.promise;
    out.write("from the grave");
    late.push(await context.memo("late", () => 1).catch((error: unknown) => error));
  });
  const session = await openSession({ turns: [[call("zombie")]], tools: [zombie], clock });

  const operation = await session.lane.prompt("go");
  await begun.promise;
  operation.abort();
  clock.advance(ABORT_GRACE_MS);
  await operation.settled;
  const settledEvents = session.events.length;
  released.resolve();
  await expect.poll(() => late.length).toBe(1);

  expect(late).toMatchObject([{ code: "call_settled" }]);
  expect(session.events).toHaveLength(settledEvents);
  expect(await session.storage.liveScopes()).toEqual([]);
});

test("[H6] a call that says so ends the operation without another turn, failing or not", async () => {
  const last = makeTool("last", ({ out }) => {
    out.terminate();
    throw new Error("and it fails");
  });
  const session = await openSession({ turns: [[call("last")]], tools: [last] });

  const { status } = await (await session.lane.prompt("go")).settled;

  expect(status).toBe("completed");
  expect(session.requests).toHaveLength(1);
  expect(callsOf(session)).toMatchObject([{ isError: true }]);
});

test("[H6] a deferred tool is offered once a call has named it, and not before", async () => {
  const unlock = makeTool("unlock", ({ out }) => out.addTools(["hidden"]));
  const hidden = makeTool("hidden", ({ out }) => out.write("found"));
  const session = await openSession({
    turns: [[call("hidden"), call("unlock")], [call("hidden")], []],
    tools: [unlock],
    deferredTools: [hidden],
  });

  await (
    await session.lane.prompt("go")
  ).settled;

  const offered = session.requests.map(({ tools }) => tools.map(({ name }) => name));
  expect(offered).toEqual([["unlock"], ["unlock", "hidden"], ["unlock", "hidden"]]);
  expect(callsOf(session).filter(({ isError }) => isError)).toMatchObject([{ toolName: "hidden" }]);
});

test("[H6] [T3] O09: of a tool that writes 2 MB the model is sent a window, however often it is called", async () => {
  const piece = `${"many words ".repeat(1_818)}\n`;
  const flood = makeTool("flood", ({ out, arg }) => {
    if (arg("way") === "replace") return out.replace(piece.repeat(100));
    for (let index = 0; index < 100; index += 1) out.write(piece);
  });
  const turns = [[call("flood", { way: "write" })], [call("flood", { way: "replace" })], [text("Enough.")]];
  const session = await openSession({ tools: [flood], turns });

  const { status } = await (await session.lane.prompt("go")).settled;

  expect(status).toBe("completed");
  const sizes = session.requests.map((request) => Buffer.byteLength(JSON.stringify(request)));
  expect(sizes).toHaveLength(3);
  // The default window and what stands around it, once a call.
  expect(Math.max(...sizes)).toBeLessThan(2 * 51_200 * 1.1);
  expect(Math.min(...sizes.slice(1))).toBeGreaterThan(40_000);
});
