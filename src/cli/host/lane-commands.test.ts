import { expect, test } from "vitest";
import { call, openSession, text } from "../../harness/fixtures/session.js";
import type { TestSession } from "../../harness/fixtures/session.js";
import { defer, makeTool } from "../../harness/fixtures/tools.js";
import { createLaneCommands, refuseLaneCommands } from "./lane-commands.js";
import type { LaneCommands } from "./lane-commands.js";

interface Stage extends TestSession {
  readonly commands: LaneCommands;
  readonly runs: string[];
  /** Lets the tool that holds go on. */
  readonly letGo: () => void;
}

const turns = [[call("work", { n: 1 })], [call("hold")], [text("Done.")], [text("And again.")]];

async function open({ takesMessages = true } = {}): Promise<Stage> {
  const runs: string[] = [];
  const held = defer();
  const work = makeTool("work", ({ arg }) => void runs.push(arg("n")));
  const hold = makeTool("hold", () => held.promise);
  const policy = { tools: { work: "ask" }, others: "allow" } as const;
  const session = await openSession({ turns, tools: [work, hold], policy });
  const commands = createLaneCommands({ id: "s_1", harness: session.harness, takesMessages });
  return { ...session, commands, runs, letGo: held.resolve };
}

/** The call of `name`, once it is there and, where that is asked for, waits. */
async function untilCall({ lane }: Stage, name: string, waits = false): Promise<string> {
  const find = (): string | undefined =>
    lane.view().operation?.tools.find((tool) => tool.name === name && (!waits || tool.pendingApproval))?.id;
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

test("[W4] a decision reaches the call that waits for it, once", async () => {
  const stage = await open();
  const { commands, lane, runs } = stage;
  await lane.prompt("go");
  const waiting = await untilCall(stage, "work", true);

  await commands.approve("main", waiting, { decision: "allow" });

  await untilCall(stage, "hold");
  expect(runs).toEqual(["1"]);
  await expect(commands.approve("main", waiting, { decision: "deny" })).rejects.toMatchObject({
    name: "WireError",
    code: "conflict",
    message: expect.stringContaining(waiting) as string,
  });
  await expect(commands.approve("side", waiting, { decision: "allow" })).rejects.toMatchObject({ code: "not_found" });
  stage.letGo();
  await stage.harness.close();
});

test("[W4] a denial keeps the call from running, and always is the policy from then on", async () => {
  const stage = await open();
  await stage.lane.prompt("go");

  const decision = { decision: "deny", reason: "not on a Friday", always: true } as const;
  await stage.commands.approve("main", await untilCall(stage, "work", true), decision);

  await untilCall(stage, "hold");
  expect(stage.runs).toEqual([]);
  expect(stage.harness.policy.tools).toEqual({ work: "refuse" });
  expect(JSON.stringify(stage.requests[1]?.messages)).toContain("not on a Friday");
  stage.letGo();
  await stage.harness.close();
});

test("[W5] what is said steers, follows up, is taken back, or begins an operation", async () => {
  const stage = await open();
  const { commands, lane } = stage;
  await expect(commands.say("main", "too early", "steer")).rejects.toMatchObject({ code: "conflict" });

  expect(await commands.say("main", "go", "prompt")).toEqual({ operationId: lane.view().operation?.id });
  await expect(commands.say("main", "again", "prompt")).rejects.toMatchObject({ code: "conflict" });
  await commands.approve("main", await untilCall(stage, "work", true), { decision: "allow" });
  await untilCall(stage, "hold");
  expect(await commands.say("main", "faster", "steer")).toMatchObject({ message: { kind: "steer", text: "faster" } });
  const later = await commands.say("main", "and then rest", "followUp");
  const id = "message" in later ? later.message.id : "";
  expect(lane.view().queue).toMatchObject([{ text: "faster" }, { id, kind: "followUp" }]);
  expect([await commands.withdraw("main", id), await commands.withdraw("main", id)]).toEqual([true, false]);

  stage.letGo();
  await expect.poll(() => lane.view().operation).toBeNull();
  const said = lane.view().transcript.flatMap((entry) => (entry.type === "user" ? [entry.text] : []));
  expect(said).toEqual(["go", "faster"]);
  await stage.harness.close();
  await expect(commands.say("main", "x", "prompt")).rejects.toMatchObject({ code: "unavailable" });
});

test("[W5] a session without a model says that nobody would hear it", async () => {
  const { commands, lane, harness } = await open({ takesMessages: false });

  for (const as of ["steer", "followUp", "prompt"] as const) {
    await expect(commands.say("main", "hello", as)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("without a model") as string,
    });
  }
  expect(lane.view()).toMatchObject({ transcript: [], operation: null });
  await harness.close();
});

test("[W4] [W5] a session that no process works on says how to take it up", async () => {
  const commands = refuseLaneCommands("s_9");
  const refusal = { code: "conflict", message: expect.stringContaining("spillway resume s_9") as string };

  await expect(commands.approve("main", "call_1", { decision: "allow" })).rejects.toMatchObject(refusal);
  await expect(commands.say("main", "x", "steer")).rejects.toMatchObject(refusal);
  await expect(commands.withdraw("main", "entry_1")).rejects.toMatchObject(refusal);
});
