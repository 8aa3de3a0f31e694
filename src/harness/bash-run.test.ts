import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLocalEnv } from "../exec/index.js";
import type { ExecutionEnv } from "../exec/index.js";
import type { ContentBlock } from "../protocol/index.js";
import { createMemoryStorage } from "../storage/index.js";
import { createBashTool } from "../tools/index.js";
import { makeMortal } from "./fixtures/mortal-storage.js";
import { call, openSession, text } from "./fixtures/session.js";
import type { TestSession } from "./fixtures/session.js";

async function openRealEnv(): Promise<{ folder: string; env: ExecutionEnv }> {
  const folder = await mkdtemp(join(tmpdir(), "spillway-harness-"));
  const env = createLocalEnv({ cwd: folder, environment: process.env, spillFolder: join(folder, "spill") });
  onTestFinished(async () => {
    await env.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { folder, env };
}

const wordsOf = (blocks: readonly ContentBlock[] = []): string =>
  blocks.map((block) => (block.type === "text" ? block.text : "")).join("");

const shownBy = ({ lane }: TestSession): string => wordsOf(lane.view().operation?.tools[0]?.output?.content);

const storedBy = ({ lane }: TestSession): readonly ContentBlock[] =>
  lane.view().transcript.flatMap((entry) => (entry.type === "tool" ? entry.output.content : []));

const hang = { timeout: 20_000 };

test("[H4] a command that is aborted keeps what it printed, the same for the user and the model, and is gone", async () => {
  const { folder, env } = await openRealEnv();
  const command = "echo $$ > pid; i=0; while :; do echo line $i; i=$((i+1)); sleep 0.02; done";
  const turns = [[call("bash", { command })], [text("I see.")]];
  const session = await openSession({ env, turns, tools: [createBashTool()] });

  const operation = await session.lane.prompt("count");
  await expect.poll(() => shownBy(session), hang).toContain("line 5\n");
  operation.abort("enough");
  const result = await operation.settled;
  await (
    await session.lane.prompt("what did you see?")
  ).settled;

  expect(result).toMatchObject({ status: "aborted", reason: "enough" });
  expect(wordsOf(storedBy(session))).toMatch(/^line 0\nline 1\nline 2\n/);
  const told = session.requests[1]?.messages.find(({ role }) => role === "tool");
  expect(told).toMatchObject({ isError: true, content: storedBy(session) });
  const pid = Number(await readFile(join(folder, "pid"), "utf8"));
  expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: "ESRCH" }));
});

test("[H3] a command whose harness died settles with a state that was shown, and names its spill's present size", async () => {
  const { folder, env } = await openRealEnv();
  const session = await createMemoryStorage().create("session");
  const { storage } = makeMortal(session, { lives: Infinity, acknowledged: true });
  const command = "seq 1 20000; i=0; while :; do echo later $i; i=$((i+1)); sleep 0.02; done";
  const dying = await openSession({
    storage,
    env,
    turns: [[call("bash", { command })]],
    tools: [createBashTool()],
    durability: { intervalMs: 100 },
  });
  const shown = new Set<string>();
  dying.lane.subscribe({ open: () => undefined, receive: () => shown.add(shownBy(dying)), end: () => undefined });
  await dying.lane.prompt("go");
  await expect.poll(() => shownBy(dying), hang).toContain("later 3\n");
  await expect.poll(() => dying.harness.counters.tools.durableElements, hang).toBeGreaterThan(3);

  const stopped: string[] = [];
  const alive = await openSession({
    storage: session,
    env,
    recovery: {
      async stopExecution({ executionId }) {
        stopped.push(executionId);
        const killed = await env.kill(executionId);
        return killed.ok ? killed.value.survivors : [];
      },
      spillBytes: async (path) => (await stat(path)).size,
      afterInterruption: "settle",
    },
  });
  const report = await alive.harness.recover();

  expect(report.operations).toMatchObject([{ outcome: "interrupted" }]);
  expect(stopped).toHaveLength(1);
  const [output, notice] = storedBy(alive);
  expect(shown).toContain(output?.type === "text" ? output.text : "");
  const [, path = "", bytes] =
    /The output file (\S+) holds (\d+) bytes now/.exec(wordsOf(notice ? [notice] : [])) ?? [];
  expect(path.startsWith(join(folder, "spill"))).toBe(true);
  expect(Number(bytes)).toBe((await stat(path)).size);
  expect(await session.liveScopes()).toEqual([]);
});
