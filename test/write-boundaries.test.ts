import { execFile } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { openHarness, readLane } from "../src/harness/index.js";
import type { StoredLane } from "../src/harness/index.js";
import { createScriptedModel } from "../src/models/index.js";
import { createJsonlStorage } from "../src/storage/index.js";
import { buildCli } from "./cli/support/built-cli.js";
import { SCRIPT, scriptedTools, summarize } from "./fixtures/programs/scripted-tools.mjs";
import { repository } from "./support/files.js";

// A real process runs a scripted operation on real files and kills itself with -9 at one change to them, at every one of
// them in turn, writes in the middle included. What the files hold then must be what they held after one of the commits
// of a run that was not killed, or nothing at all; then the operation is recovered, twice.

beforeAll(buildCli, 120_000);

const isWhole = process.env["CI"] === "true";
const SAMPLE_EVERY = 12;

test(
  "[H3] [H5] a run killed at any change to its files is in the state before or after a commit, and recovers from there",
  { timeout: 900_000 },
  async () => {
    using whole = openFolder();
    const told = (await runUntil(whole.path)).map((line) => JSON.parse(line) as unknown);
    const steps = Number(told.at(-1));
    const states = new Set(["null", ...told.slice(0, -1).map((state) => JSON.stringify(state))]);
    expect(steps).toBeGreaterThan(50);
    expect(states.size).toBeGreaterThan(10);

    let unsettled = 0;
    const first = isWhole ? 1 : 1 + Math.floor(Math.random() * SAMPLE_EVERY);
    for (let step = first; step <= steps; step += isWhole ? 1 : SAMPLE_EVERY) {
      using folder = openFolder();
      await runUntil(folder.path, step);
      const found = await readState(folder.path);
      expect(states, `killed at step ${step} of ${steps}`).toContain(JSON.stringify(found));
      if (found === null) continue;
      if ((await recover(folder.path)) > 0) unsettled += 1;
      expect(await recover(folder.path), `step ${step}: recovered again`).toBe(0);
      expect(findFaults(await readLaneOf(folder.path), folder), `step ${step}`).toEqual([]);
    }
    expect(unsettled).toBeGreaterThan(0);
  },
);

interface Folder extends Disposable {
  readonly path: string;
}

function openFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "spillway-steps-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Lines that the program printed; it ends by its own signal where a step is named. */
async function runUntil(folder: string, step?: number): Promise<string[]> {
  const program = join(repository, "test", "fixtures", "programs", "scripted-run.mjs");
  const args = [program, folder, ...(step === undefined ? [] : [String(step)])];
  const end = await promisify(execFile)(process.execPath, args).catch((error: unknown) => {
    if (error instanceof Error && "signal" in error && error.signal === "SIGKILL" && step !== undefined)
      return { stdout: "" };
    throw error;
  });
  return end.stdout.split("\n").filter((line) => line !== "");
}

const openStorage = (folder: string): ReturnType<typeof createJsonlStorage> =>
  createJsonlStorage({ folder: join(folder, "sessions") });

async function readLaneOf(folder: string): Promise<StoredLane | null> {
  if (!existsSync(join(folder, "sessions", "s1.jsonl"))) return null;
  const reader = await openStorage(folder).read("s1");
  try {
    return await readLane(reader, "main");
  } finally {
    await reader.close();
  }
}

async function readState(folder: string): Promise<unknown> {
  const lane = await readLaneOf(folder);
  // A session in which nothing was asked yet holds as much as none.
  return lane?.record === undefined ? null : summarize(lane);
}

/** Recovers the session and gives the number of operations that were settled by it. */
async function recover(folder: string): Promise<number> {
  const storage = openStorage(folder);
  const session = await storage.open("s1");
  const act = (id: string): void => appendFileSync(join(folder, "world"), `${id}\n`);
  const harness = await openHarness({
    storage: session,
    env: {} as never,
    model: createScriptedModel(SCRIPT),
    tools: scriptedTools(act),
    recovery: { afterInterruption: "settle" },
  });
  const { operations } = await harness.recover();
  await harness.close();
  return operations.length;
}

function findFaults(lane: StoredLane | null, { path }: Folder): string[] {
  const faults: string[] = [];
  const check = (isRight: boolean, fault: string): void => void (isRight || faults.push(fault));
  const world = existsSync(join(path, "world")) ? readFileSync(join(path, "world"), "utf8").split("\n") : [];
  const times = (id: string): number => world.filter((line) => line === id).length;
  check(times("a") <= 1 && times("c") <= 1, "an effect was made twice");
  check(times("b") <= 2, "what can be run again was run more than once more");
  const status = lane?.record?.status;
  check(status === "completed" || status === "interrupted", `it is ${status}`);
  const files = readdirSync(join(path, "sessions")).sort();
  check(
    files.every((name) => /^s1\.(jsonl|lock)$/.test(name) || /\.cut-\d+$/.test(name)),
    `left: ${files.join(" ")}`,
  );
  const entries = lane?.transcript ?? [];
  check(new Set(entries.map(({ id }) => id)).size === entries.length, "an entry is there twice");
  const calls = entries.flatMap((entry) =>
    entry.type === "assistant" ? entry.message.content.filter((part) => part.type === "toolCall") : [],
  );
  const results = entries.flatMap((entry) => (entry.type === "tool" ? [entry.toolCallId] : []));
  check(calls.map(({ toolCallId }) => toolCallId).join() === results.join(), "a call has no result, or more than one");
  return faults;
}
