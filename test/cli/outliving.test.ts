import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ChatState } from "../../src/facet/index.js";
import type { ToolEntry } from "../../src/protocol/index.js";
import { seededRandom, seedsOf } from "../../src/lane/fixtures/random.js";
import { connectToStream, facetPath } from "../../src/wire/index.js";
import { follow } from "../../src/wire/client/index.js";
import type { Following } from "../../src/wire/client/index.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { countRuns, numberedBuild, numberedOutput, PACES } from "./support/numbered-lines.js";
import { findProcesses } from "./support/processes.js";
import { appearanceOfSession, findSession, readState, readStored, readStoredChat } from "./support/sessions.js";

// Real builds in the exec host of a state folder: what began them is killed with -9 at random moments, some of what resumes
// them too, and a viewer follows all the while.

beforeAll(buildCli, 120_000);

const isCi = process.env["CI"] === "true";
const KILLS = isCi ? 50 : 3;
/** Builds side by side: most of their time is waiting. */
const AT_A_TIME = isCi ? 5 : 3;
const BUILD_CODE = 7;
/** A build of each pace lasts about two seconds on a machine with nothing else to do. */
const COUNTS = [200, 16_000, 200_000] as const;
const LONGEST_LIFE_MS = 1_800;

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage({ hosted: true });
});
afterEach(() => stage[Symbol.dispose]());

test.each(seedsOf(1))(
  `[H8] [X12] after kill -9 of the harness at ${KILLS} random moments, resume ends with one complete result and nothing was run again (seed %i)`,
  { timeout: 900_000 },
  async (seed) => {
    let kills = 0;
    let takenUp = 0;
    let count = 0;
    for (let run = 0; kills < KILLS; run += AT_A_TIME) {
      const runs = Array.from({ length: AT_A_TIME }, (_, index) => killAndResume(seed, run + index));
      for (const [index, found] of (await Promise.all(runs)).entries()) {
        expect(found.problems, `seed ${seed}, run ${run + index}`).toEqual([]);
        kills += found.kills;
        count += 1;
        if (found.isTakenUp) takenUp += 1;
      }
    }
    // Only a kill before the command was begun leaves nothing to take up.
    expect(takenUp, `seed ${seed}: ${count} runs, ${kills} kills`).toBeGreaterThanOrEqual(Math.max(1, count / 4));
  },
);

interface KilledBuild {
  readonly problems: readonly string[];
  readonly kills: number;
  /** Whether there was something to take up. */
  readonly isTakenUp: boolean;
}

async function killAndResume(seed: number, run: number): Promise<KilledBuild> {
  const random = seededRandom(seed + run);
  using own = openCliStage({ hosted: true });
  const mark = `o${seed}n${run}`;
  const pace = PACES[run % PACES.length] ?? PACES[0];
  const count = COUNTS[run % COUNTS.length] ?? COUNTS[0];
  const first = own.start(["run", "--quiet", "--", numberedBuild(mark, pace, count, BUILD_CODE)]);
  const id = await appearanceOfSession(own);
  const { consumer, ended: seenEnd } = watch(own, id);
  // Nobody waits for a viewer that never came.
  await expect.poll(() => consumer.value !== undefined, { timeout: 60_000, interval: 5 }).toBe(true);
  await sleep(random() * LONGEST_LIFE_MS);
  first.kill("SIGKILL");
  await first.ended;
  let kills = 1;
  // Every other run is resumed by a process that is killed as well.
  if (random() < 0.5) {
    const second = own.start(["resume", id, "--quiet"]);
    await sleep(200 + random() * 600);
    second.kill("SIGKILL");
    await second.ended;
    kills += 1;
  }
  const resumed = await own.start(["resume", id, "--json"]).ended;
  await seenEnd;
  const seen = consumer.value;

  const stored = await readStored(own);
  const entries = (stored?.transcript ?? []).filter((entry): entry is ToolEntry => entry.type === "tool");
  const problems: string[] = [];
  const check = (isRight: boolean, problem: string): void => void (isRight || problems.push(problem));
  const runs = countRuns(own, mark);
  const settled = parseLines(resumed.stdout).at(-1);
  check(settled?.["type"] === "settled", `resume said ${resumed.stdout.slice(-300)}${resumed.stderr}`);
  check(stored?.unsettled === undefined, "something is still unsettled");
  check(runs <= 1, `run ${runs} times`);
  check((await findProcesses(mark, own)).length === 0, "something of it still runs");
  const expected = await readStoredChat(own);
  // Where the process before settled it and was killed as it said so, who comes back finds no operation.
  const mayMissEnd = settled?.["operation"] === null && seen?.operation === null;
  const told = mayMissEnd ? { ...expected, operation: null } : expected;
  check(JSON.stringify(seen) === JSON.stringify(told), "the viewer saw something else");
  if (runs === 0) return { problems, kills, isTakenUp: false };

  check(entries.length === 1, `${entries.length} results`);
  const output = numberedOutput(pace, count);
  const text = textOf(entries[0]);
  check(text !== "" && output.endsWith(text), `the text is no end of the output: ${text.slice(-200)}`);
  check(entries[0]?.output.truncation.totalBytes === output.length, "the totals are wrong");
  check(noticeOf(entries[0]).endsWith(`Command exited with code ${BUILD_CODE}`), `told: ${noticeOf(entries[0])}`);
  check(entries[0]?.stopped === undefined, "it settled as stopped");
  const { spillPath } = (entries[0]?.output.details ?? {}) as { readonly spillPath?: string };
  const whole = spillPath === undefined ? text : readFileSync(spillPath, "utf8");
  check(whole === output, `what was kept has ${whole.length} bytes of ${output.length}`);
  return { problems, kills, isTakenUp: true };
}

/** A consumer that is never called again. */
function watch(own: CliStage, id: string): Following<ChatState> {
  const { socket, tokens } = JSON.parse(readState(own, "run", `${id}.json`)) as {
    readonly socket: string;
    readonly tokens: { readonly view: string };
  };
  const target = { socketPath: socket, token: tokens.view };
  return follow<ChatState>({ connect: () => connectToStream(target, facetPath(id, "main", "chat")) });
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function textOf(entry: ToolEntry | undefined): string {
  const blocks = entry?.output.content ?? [];
  return blocks.map((block) => (block.type === "text" && block.notice !== true ? block.text : "")).join("");
}

function noticeOf(entry: ToolEntry | undefined): string {
  const blocks = entry?.output.content ?? [];
  return blocks.map((block) => (block.type === "text" && block.notice === true ? block.text : "")).join("");
}

const GATE = "echo begun; while [ ! -e go ]; do sleep 0.05; done; echo done";

/** Starts a command that waits for the file `go`, and waits until its text is stored. */
async function startGated(
  command = GATE,
): Promise<{ readonly running: ReturnType<CliStage["start"]>; readonly id: string }> {
  const running = stage.start(["run", "--", command]);
  await running.said(/begun/);
  const id = await findSession(stage);
  await expect.poll(async () => (await stage.call(["show", id])).stdout, { timeout: 20_000 }).toContain("\nbegun\n");
  return { running, id };
}

test("[R14] [H8] resume shows what went on meanwhile as run would have, and ends with the command's code", async () => {
  const { running, id } = await startGated();
  running.kill("SIGKILL");
  await running.ended;

  const resuming = stage.start(["resume"]);
  await resuming.said(/begun/);
  await stage.shell(`touch '${stage.home}/go'`);
  const resumed = await resuming.ended;

  expect(resumed).toMatchObject({ code: 0, stdout: "begun\ndone\n" });
  expect(resumed.stderr).toContain(`session ${id} is settled as completed\n`);
  expect(await readStored(stage)).toMatchObject({ record: { status: "completed" } });
});

test("[H8] [H6] Ctrl-C stops a command that was taken up, with all its processes", async () => {
  const { running } = await startGated("echo begun; sleep 631 & wait");
  running.kill("SIGKILL");
  await running.ended;

  const resuming = stage.start(["resume"]);
  await resuming.said(/begun/);
  resuming.kill("SIGINT");
  const resumed = await resuming.ended;

  expect(resumed.code).toBe(130);
  expect(resumed.stdout).toMatch(/^begun\n.*stopped by Ctrl-C\n$/);
  expect(await findProcesses("sleep 631", stage)).toEqual([]);
});

test("[X12] kill -9 of the exec host settles the call as execution_lost with its partial output, and nothing survives", async () => {
  const { running } = await startGated("echo begun; (setsid sleep 632 &) ; sleep 633");
  killHost();

  const ended = await running.ended;

  expect(ended.code).toBe(125);
  expect(ended.stdout).toMatch(/^begun\n[^]*the exec host that ran exec_\w+ has ended since/);
  expect(ended.stderr).toContain("has ended since");
  expect(await findProcesses("sleep 63", stage)).toEqual([]);
  expect(await readStored(stage)).toMatchObject({ unsettled: undefined });
});

test("[X12] [H3] where both were killed, resume settles the call as execution_lost and says that its effects may exist", async () => {
  const { running, id } = await startGated("echo begun; (setsid sleep 634 &) ; sleep 635");
  killHost();
  running.kill("SIGKILL");
  await running.ended;

  const resumed = await stage.start(["resume", id]).ended;

  expect(resumed.code).toBe(1);
  expect(resumed.stdout).toMatch(/^begun\nInterrupted: .*execution_lost.*Its effects may exist/);
  expect(await findProcesses("sleep 63", stage)).toEqual([]);
});

test("[R26] [X12] ps lists what goes on without its harness, cat shows it, kill ends it, and resume says so", async () => {
  const { running, id } = await startGated("echo begun; sleep 636");
  running.kill("SIGKILL");
  await running.ended;

  const [listed] = parseLines((await stage.call(["ps", "--json"])).stdout);
  const execution = String(listed?.["executionId"]);
  const table = await stage.call(["ps"]);
  const shown = await stage.call(["cat", execution]);
  const killed = await stage.call(["kill", execution]);
  const again = await stage.call(["kill", execution]);
  const resumed = await stage.start(["resume", id]).ended;
  const after = await stage.call(["ps"]);

  expect(listed).toMatchObject({ type: "execution", session: id, state: "running", command: "echo begun; sleep 636" });
  expect(table.stdout).toMatch(
    new RegExp(`^EXECUTION .*\n${execution}  ${id}  running  [\\d.]+ s .*  echo begun; sleep 636\n$`),
  );
  expect(shown).toMatchObject({ code: 0, stdout: "begun\n", stderr: expect.stringContaining("goes on") as string });
  expect(killed).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(await findProcesses("sleep 636", stage)).toEqual([]);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`no execution ${execution} runs`) as string });
  expect(resumed.stdout).toMatch(/^begun\n.*stopped/);
  expect(after).toMatchObject({ code: 0, stdout: "", stderr: "Nothing runs in an exec host.\n" });
});

test("[R25] with --in-process no exec host is started", async () => {
  const ended = await stage.start(["run", "--quiet", "--in-process", "--", "echo here"]).ended;

  expect(ended).toMatchObject({ code: 0, stdout: "here\n" });
  expect(() => readState(stage, "run", "exec-host.json")).toThrow("ENOENT");
});

test("[R25] an exec host that cannot be started is an error that says why and what to do, and nothing was run", async () => {
  const args = ["run", "--", "touch ran"];
  const ended = await stage.start(args, { env: { XDG_RUNTIME_DIR: "/proc/nowhere" } }).ended;

  expect(ended).toMatchObject({ code: 125, stdout: "" });
  expect(ended.stderr).toMatch(/the exec host of .* ended as it was started: .*\/proc\/nowhere.* --in-process/);
  expect(existsSync(join(stage.home, "ran"))).toBe(false);
});

function killHost(): void {
  const { pid } = JSON.parse(readState(stage, "run", "exec-host.json")) as { readonly pid: number };
  process.kill(pid, "SIGKILL");
}
