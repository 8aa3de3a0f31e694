import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../../src/exec/index.js";
import { executionsOf } from "../../src/harness/index.js";
import type { StoredLane } from "../../src/harness/index.js";
import type { ToolOutputState } from "../../src/protocol/index.js";
import { seededRandom, seedsOf } from "../../src/lane/fixtures/random.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { countRuns, findGap, numberedLines, PACES } from "./support/numbered-lines.js";
import { findProcesses } from "./support/processes.js";
import { appearanceOfSession, findSession, listState, readStored } from "./support/sessions.js";

// Real runs of the built CLI are killed with -9 at random moments, from before the session exists to well into a flood, and
// then resumed twice. What was stored is read from the files between the kill and the resumption: nothing of it may be
// missing or doubled afterwards.

beforeAll(buildCli, 120_000);

const KILLS = process.env["CI"] === "true" ? 60 : 4;
/** Every so many kills come before the session is there. */
const EARLY_EVERY = 6;
const LONGEST_LIFE_MS = 1_500;

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

test.each(seedsOf(1))(
  `[H3] [H5] after kill -9 at ${KILLS} random moments, resume settles what was stored, nothing is missing, doubled or run again (seed %i)`,
  { timeout: 900_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const seen = { unmade: 0, unsettled: 0, withText: 0, withSpill: 0 };

    for (let kill = 0; kill < KILLS; kill += 1) {
      // Kills are spread evenly over the span, so that none of its parts is left out by chance.
      const lifeMs = ((kill + random()) / KILLS) * LONGEST_LIFE_MS;
      const pace = PACES[kill % PACES.length] ?? PACES[0];
      using own = openCliStage();
      const isEarly = kill % EARLY_EVERY === 0;
      const found = await killAndResume(own, { mark: `k${seed}n${kill}`, lifeMs, pace, isEarly });
      expect(found.problems, `seed ${seed}, kill ${kill} after ${Math.round(lifeMs)} ms`).toEqual([]);
      if (found.stored === undefined) seen.unmade += 1;
      else seen.unsettled += 1;
      if (found.text !== "") seen.withText += 1;
      if (found.hasSpill) seen.withSpill += 1;
    }

    // Far fewer than what comes even on a loaded machine, so that a test that kills nothing fails.
    expect(seen.unsettled, `seed ${seed}: ${JSON.stringify(seen)}`).toBeGreaterThan(KILLS / 4);
  },
);

interface KilledRun {
  readonly problems: readonly string[];
  readonly stored: StoredLane | undefined;
  readonly text: string;
  readonly hasSpill: boolean;
}

interface KillPlan {
  readonly mark: string;
  /** After the start, or after the session is there. */
  readonly lifeMs: number;
  readonly isEarly: boolean;
  readonly pace: (typeof PACES)[number];
}

async function killAndResume(own: CliStage, { mark, lifeMs, isEarly, pace }: KillPlan): Promise<KilledRun> {
  const running = own.start(["run", "--", numberedLines(mark, pace)]);
  if (!isEarly) await appearanceOfSession(own);
  await new Promise((resolve) => setTimeout(resolve, lifeMs));
  running.kill("SIGKILL");
  await running.ended;

  const stored = await readStored(own);
  const before = stored?.unsettled?.calls[0]?.output;
  const spill = stored?.unsettled?.calls.flatMap(executionsOf).length ?? 0;
  const first = await own.start(["resume", "--json"]).ended;
  const second = await own.start(["resume", "--json"]).ended;
  const left = await findProcesses(mark, own);
  const after = await readStored(own);

  const problems: string[] = [];
  const check = (isRight: boolean, problem: string): void => void (isRight || problems.push(problem));
  check(left.length === 0, `still alive: ${left.join("; ")}`);
  check(countRuns(own, mark) <= 1, `run ${countRuns(own, mark)} times`);
  check(second.code === 0 && second.stderr === "", `the second resume ended with ${second.code}: ${second.stderr}`);
  check(listState(own, "run").length === 0, "a run file was left");
  check(
    listState(own, "sessions").every((name) => /^[^.]+\.(jsonl|lock|jsonl\.new)$/.test(name)),
    `left: ${listState(own, "sessions").join(" ")}`,
  );
  if (stored?.unsettled === undefined) {
    check(first.code === 0, `resume with nothing to do ended with ${first.code}: ${first.stdout}${first.stderr}`);
    return { problems, stored: undefined, text: "", hasSpill: false };
  }

  check(first.code === 1, `resume ended with ${first.code}: ${first.stderr}`);
  check(parseLines(first.stdout).at(-1)?.["status"] === "interrupted", `resume said ${first.stdout.slice(-300)}`);
  check(
    after?.record?.status === "interrupted" && after.record.reason !== undefined,
    "it is not settled as interrupted",
  );
  check(after?.unsettled === undefined, "something is still unsettled");
  const kept = stored.transcript.length;
  check(JSON.stringify(after?.transcript.slice(0, kept)) === JSON.stringify(stored.transcript), "entries have changed");
  const entry = after?.transcript.find((item) => item.type === "tool");
  const text = textOf(entry?.output);
  check(isWindowOf(textOf(before) + (before?.progress ?? ""), text), "the text is not what was stored");
  check(findGap(endLines(text)) === undefined, `gap: ${findGap(endLines(text))}`);
  // While nothing is cut, no totals are stored until the end: then the text says what they are.
  const { truncated = false, totalBytes = 0 } = before?.truncation ?? {};
  const totals = entry?.output.truncation.totalBytes ?? 0;
  const expected = truncated ? totalBytes : Buffer.byteLength(text);
  check(totals === expected, `the totals are ${totals} where ${expected} was stored`);
  check(
    stored.unsettled.calls.length === 0 || /Interrupted|not run/.test(noticeOf(entry?.output)),
    "the notice does not say it",
  );
  const hasSpill = spill > 0 && /\boutput file .* holds \d+ bytes now/.test(noticeOf(entry?.output));
  check(
    !hasSpill || !noticeOf(entry?.output).includes("not kept"),
    "the notice says that what is in the spill is lost",
  );
  return { problems, stored, text, hasSpill };
}

const MAX_LINE_LENGTH = 20;

/** What was stored, with the line that had not ended; in a full window that line costs some of the oldest ones. */
function isWindowOf(stored: string, text: string): boolean {
  const isFull = stored.split("\n").length > DEFAULT_MAX_LINES || stored.length > DEFAULT_MAX_BYTES - MAX_LINE_LENGTH;
  return stored.endsWith(text) && stored.length - text.length <= (isFull ? 2 * MAX_LINE_LENGTH : 0);
}

function textOf(output: ToolOutputState | undefined): string {
  return (output?.content ?? [])
    .map((block) => (block.type === "text" && block.notice !== true ? block.text : ""))
    .join("");
}

function noticeOf(output: ToolOutputState | undefined): string {
  return (output?.content ?? [])
    .map((block) => (block.type === "text" && block.notice === true ? block.text : ""))
    .join("");
}

/** The last line may have been cut by the kill; it is no whole line then. */
function endLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

test("[R14] what a killed run left is settled, shown and kept, and the session goes on", async () => {
  const running = stage.start(["run", "--", "echo half; exec sleep 616"]);
  await running.said(/half/);
  const id = await findSession(stage);
  await expect.poll(async () => (await stage.call(["show", id])).stdout, { timeout: 20_000 }).toContain("\nhalf\n");
  running.kill("SIGKILL");
  await running.ended;

  const refused = await stage.start(["run", "--session", id, "--", "echo no"]).ended;
  const resumed = await stage.start(["resume"]).ended;
  const again = await stage.start(["resume", id]).ended;
  const next = await stage.start(["run", "--quiet", "--session", id, "--", "echo next"]).ended;

  expect(refused.code).toBe(125);
  expect(refused.stderr).toContain(`spillway resume ${id}`);
  expect(resumed.code).toBe(1);
  expect(resumed.stdout).toMatch(/^half\n.*Interrupted: .* effects may exist/);
  expect(resumed.stderr).toMatch(new RegExp(`session ${id} is settled as interrupted: .*ended before`));
  expect(again).toMatchObject({ code: 0, stdout: "" });
  expect(again.stderr).toContain("nothing to resume");
  expect(await findProcesses("sleep 616", stage)).toEqual([]);
  expect(next).toMatchObject({ code: 0, stdout: "next\n" });
  const shown = await stage.call(["show", id]);
  expect(shown.stdout).toMatch(/· interrupted ·[^]*\nhalf\n[^]*> echo next\n[^]*\nnext\n/);
});
