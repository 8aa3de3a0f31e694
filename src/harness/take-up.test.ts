import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalEnv, ExecError, failed } from "../exec/index.js";
import type { ExecutionEnv, LocalEnv } from "../exec/index.js";
import type { ToolEntry } from "../protocol/index.js";
import { createMemoryStorage } from "../storage/index.js";
import type { SessionStorage } from "../storage/index.js";
import { createBashTool } from "../tools/index.js";
import type { AgentHarnessTool } from "../tools/index.js";
import { makeMortal } from "./fixtures/mortal-storage.js";
import { call, openSession, text } from "./fixtures/session.js";
import type { TestSession, Turns } from "./fixtures/session.js";
import { makeTool } from "./fixtures/tools.js";

// Real commands in an env that the first harness leaves behind: nothing reaches its storage any more, and nobody hears of it.

let folder: string;
let env: LocalEnv;
let session: SessionStorage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "spillway-take-up-"));
  env = createLocalEnv({ cwd: folder, environment: process.env, spillFolder: join(folder, "spill") });
  session = await createMemoryStorage().create("session");
});
afterEach(async () => {
  await env.close();
  rmSync(folder, { recursive: true });
});

/** Prints, says that it began, and goes on once it is let. */
const gated = (name: string, rest = "exit 4"): string =>
  `echo ${name} >> runs; echo ${name} begins; while [ ! -e go ]; do sleep 0.02; done; echo ${name} ends; ${rest}`;

const letGo = (): void => writeFileSync(join(folder, "go"), "");
const runs = (): string => readFileSync(join(folder, "runs"), "utf8");

/** A process that dies once its commands have begun. */
async function die(turns: Turns, tools: readonly AgentHarnessTool[], begun: number): Promise<void> {
  const mortal = makeMortal(session, { lives: Infinity, acknowledged: true });
  const { lane } = await openSession({ storage: mortal.storage, env: deaf(), turns, tools });
  await lane.prompt("go");
  await expect.poll(() => runsSoFar().length, { timeout: 20_000 }).toBe(begun);
  const shown = (): string => JSON.stringify(lane.view().operation?.tools);
  await expect.poll(shown, { timeout: 20_000 }).toContain("begins");
  mortal.kill();
}

const runsSoFar = (): string[] => {
  try {
    return runs().trim().split("\n");
  } catch {
    return [];
  }
};

/** The env as a process has it that is about to die: what it says after that is heard by nobody. */
function deaf(): ExecutionEnv {
  return { ...env, close: () => Promise.resolve() };
}

const callsIn = ({ lane }: TestSession): ToolEntry[] =>
  lane.view().transcript.filter((entry): entry is ToolEntry => entry.type === "tool");

const wordsOf = (entry: ToolEntry | undefined): string =>
  (entry?.output.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");

const SETTLE = { afterInterruption: "settle" } as const;

test("[H8] a command that goes on in its env is taken up: one complete result, and the operation goes on to its own end", async () => {
  const bash = createBashTool();
  await die([[call("bash", { command: gated("build") })]], [bash], 1);

  const next = await openSession({ storage: session, env, turns: [[], [text("I see.")]], tools: [bash] });
  const recovering = next.harness.recover();
  letGo();
  const { operations } = await recovering;

  expect(operations).toMatchObject([{ outcome: "resumed", status: "completed" }]);
  expect(wordsOf(callsIn(next)[0])).toBe("build begins\nbuild ends\nCommand exited with code 4");
  expect(callsIn(next)).toMatchObject([{ isError: true, output: { truncation: { totalLines: 2, totalBytes: 24 } } }]);
  expect(runs()).toBe("build\n");
  expect(next.lane.view().transcript.map(({ type }) => type)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(next.requests).toHaveLength(1);
  expect(await env.list()).toEqual([]);
});

test("[H8] [X12] a result that was not stored yet waits in the env, and is collected once it is", async () => {
  const bash = createBashTool();
  await die([[call("bash", { command: gated("build", "exit 0") })]], [bash], 1);
  letGo();
  await expect.poll(async () => (await env.list()).map(({ state }) => state), { timeout: 20_000 }).toEqual(["ended"]);

  const next = await openSession({ storage: session, env, turns: [[], []], tools: [bash] });
  await next.harness.recover();

  expect(wordsOf(callsIn(next)[0])).toBe("build begins\nbuild ends\n");
  expect(callsIn(next)[0]?.isError).toBe(false);
  await expect.poll(() => env.list()).toEqual([]);
});

test("[H8] a call with several executions is taken up at each of them, in their order", async () => {
  const two = makeTool(
    "two",
    async ({ out, context }) => {
      for (const command of ["echo first >> runs; echo first begins", gated("second")]) {
        const ended = await context.env.exec(command, {}, context);
        out.write(`${command.slice(5, 11)}: ${ended.ok ? String(ended.value.exitCode) : ended.error.code}\n`);
        out.write("begins\n");
      }
    },
    { replay: "attach" },
  );
  await die([[call("two")]], [two], 2);

  const next = await openSession({ storage: session, env, turns: [[], []], tools: [two] });
  const recovering = next.harness.recover();
  letGo();
  await recovering;

  expect(wordsOf(callsIn(next)[0])).toMatch(/first : 0\nbegins\nsecond: 4\nbegins\n$/);
  expect(runs()).toBe("first\nsecond\n");
});

test("[H8] [H3] beside a call that cannot be taken up it has its result too, and the operation settles as interrupted", async () => {
  const bash = createBashTool();
  const other = makeTool("other", () => new Promise(() => undefined));
  await die([[call("other"), call("bash", { command: gated("build") })]], [bash, other], 1);

  const next = await openSession({ storage: session, env, tools: [bash, other], recovery: SETTLE });
  const recovering = next.harness.recover();
  letGo();
  const { operations } = await recovering;

  expect(operations).toMatchObject([{ outcome: "interrupted", status: "interrupted" }]);
  const results = new Map(callsIn(next).map((entry) => [entry.toolName, entry]));
  expect(wordsOf(results.get("bash"))).toMatch(/^build begins\nbuild ends\n/);
  expect(results.get("bash")).not.toHaveProperty("stopped");
  expect(results.get("other")).toMatchObject({ stopped: "interrupted" });
});

test("[H8] [H6] an abort stops what was taken up, also one that comes before it was", async () => {
  const bash = createBashTool();
  await die([[call("bash", { command: gated("build") })]], [bash], 1);

  const next = await openSession({ storage: session, env, tools: [bash] });
  const recovering = next.harness.recover();
  const isStopping = next.lane.abort("enough");
  const { operations } = await recovering;

  expect(isStopping).toBe(true);
  expect(operations).toMatchObject([{ outcome: "resumed", status: "aborted", reason: "enough" }]);
  expect(wordsOf(callsIn(next)[0])).toMatch(/^build begins\n.*enough/);
  await expect
    .poll(async () => (await env.list()).filter(({ state }) => state !== "ended"), { timeout: 20_000 })
    .toEqual([]);
  expect(next.lane.abort()).toBe(false);
});

test("[H8] [X12] where the env is another one, the call settles with what was stored: as execution_lost where it says so", async () => {
  const bash = createBashTool();
  await die([[call("bash", { command: gated("build") })]], [bash], 1);
  const lost: ExecutionEnv = {
    ...env,
    list: () => Promise.resolve([]),
    attach: () => Promise.resolve(failed(new ExecError("execution_lost", "the host has ended since"))),
  };

  const next = await openSession({ storage: session, env: lost, tools: [bash], recovery: SETTLE });
  const { operations } = await next.harness.recover();

  expect(operations).toMatchObject([{ outcome: "interrupted" }]);
  expect(callsIn(next)).toMatchObject([{ isError: true, stopped: "interrupted" }]);
  expect(wordsOf(callsIn(next)[0])).toMatch(
    /Interrupted: .*\(execution_lost\): the host has ended since\. Its effects may/,
  );
  expect(runs()).toBe("build\n");
});
