import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliEnd, CliStage } from "./support/built-cli.js";
import { findProcesses } from "./support/processes.js";
import { appearanceOfSession, listState, readState } from "./support/sessions.js";

// Faults that users of similar tools reported (`O…` and `X…`), by their inputs, through the built CLI and real kills.

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const count = (): number => {
  const path = join(stage.home, "counter");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0;
};

const countSpills = (): number => listState(stage, "spill").flatMap((id) => listState(stage, join("spill", id))).length;

const spilledBytes = (): number =>
  listState(stage, "spill")
    .flatMap((id) => listState(stage, join("spill", id)).map((name) => join(stage.home, "state", "spill", id, name)))
    .reduce((sum, path) => sum + statSync(path).size, 0);

const storedBytes = (): number =>
  listState(stage, "sessions").reduce((sum, name) => sum + readState(stage, "sessions", name).length, 0);

async function runUntil(command: string, isReached: () => boolean): Promise<{ id: string; run: CliEnd }> {
  const running = stage.start(["run", "--quiet", "--", command]);
  const id = await appearanceOfSession(stage);
  await expect.poll(isReached, { timeout: 30_000, interval: 10 }).toBe(true);
  running.kill("SIGKILL");
  return { id, run: await running.ended };
}

/** What the lists of `show --json` hold of the session's last call. */
async function showCall(id: string): Promise<{ stopped?: string; text: string; notice: string; spillPath?: string }> {
  const lines = parseLines((await stage.call(["show", id, "--json"])).stdout);
  const entry = lines.findLast(
    (line) => line["type"] === "entry" && (line["entry"] as { type: string }).type === "tool",
  );
  if (entry === undefined) throw new Error(`session ${id} has no call`);
  const { output, ...call } = entry["entry"] as {
    stopped?: string;
    output: { content: { text: string; notice?: true }[]; details: { spillPath?: string } };
  };
  const texts = (isNotice: boolean): string =>
    output.content
      .filter(({ notice }) => (notice === true) === isNotice)
      .map(({ text }) => text)
      .join("");
  return { ...call, ...output.details, text: texts(false), notice: texts(true) };
}

test("[X9] [X18] a flood whose harness is killed stops writing, within its quota, and is told by resume (O23)", async () => {
  const spillOf = (): string =>
    listState(stage, "spill").flatMap((id) => listState(stage, join("spill", id)).map((name) => join(id, name)))[0] ??
    "";
  const { id } = await runUntil("yes 'a flood of O23'", () => spillOf() !== "");

  expect(await findProcesses("a flood of O23", stage)).toEqual([]);
  const path = join(stage.home, "state", "spill", spillOf());
  const bytes = statSync(path).size;
  const resumed = await stage.start(["resume", id]).ended;

  expect(bytes).toBeLessThanOrEqual(1_073_741_824);
  expect(statSync(path).size).toBe(bytes);
  expect(resumed.stdout).toContain(`${path} holds ${bytes} bytes now`);
});

test("[T6] [H5] a flood of empty lines leaves little to store, and a killed one opens at once (O03)", async () => {
  const { id } = await runUntil("yes ''", () => spilledBytes() > 30_000_000);
  const killed = storedBytes();

  const resumed = await stage.start(["resume", id]).ended;

  expect(resumed.code).toBe(1);
  expect(resumed.stdout).toMatch(/holds \d{8,} bytes now/);
  expect(Math.max(killed, storedBytes())).toBeLessThan(1_000_000);
});

test.skipIf(process.env["CI"] !== "true")(
  "[T6] [T4] a flood of empty lines leaves little to store when its time is up (O03)",
  async () => {
    const { code, stdout } = await stage.start(["run", "--quiet", "--timeout", "3", "--", "yes ''"]).ended;

    expect(code).toBe(124);
    expect(stdout).toContain("Command timed out after 3 s");
    expect(storedBytes()).toBeLessThan(1_000_000);
  },
);

test("[H3] an effect is made at most once, whenever the harness is killed (O28)", async () => {
  const flood = "seq 1 30000";
  const before = await runUntil(
    `${flood}; echo waits >&2; until [ -e go ]; do sleep 0.05; done; echo x >> counter`,
    () => countSpills() === 1,
  );
  await stage.start(["resume", before.id]).ended;
  writeFileSync(join(stage.home, "go"), "");
  expect([count(), (await showCall(before.id)).stopped]).toEqual([0, "interrupted"]);

  const after = await runUntil(`${flood}; echo x >> counter; sleep 617`, () => count() === 1 && countSpills() === 2);
  const spills = listState(stage, join("spill", after.id));
  await stage.start(["resume", after.id]).ended;
  const call = await showCall(after.id);
  expect([count(), call.stopped]).toEqual([1, "interrupted"]);
  expect(call.notice).toMatch(/Its effects may exist/);
  // No second file, and the one that there is is named.
  expect(listState(stage, join("spill", after.id))).toEqual(spills);
  expect(call.notice).toContain(spills[0]);

  const ended = await stage.start(["run", "--quiet", "--", "echo x >> counter"]).ended;
  expect((await stage.start(["resume"]).ended).code).toBe(0);
  expect([ended.code, count()]).toEqual([0, 2]);
});

test("[H5] no call runs for ever after a restart: it is settled once, with text that existed (O29)", async () => {
  const { id } = await runUntil(
    "for i in $(seq 1 100); do echo line $i; sleep .1; echo >> counter; done",
    () => count() >= 15,
  );

  const resumed = await Promise.all([stage.start(["resume", id]).ended, stage.start(["resume", id]).ended]);
  const again = await stage.start(["resume", id]).ended;

  // Of two at once one settles; the other is refused, or finds nothing to do.
  expect(resumed.filter(({ code, stdout }) => code === 1 && stdout !== "")).toHaveLength(1);
  expect(again).toMatchObject({ code: 0, stdout: "" });
  const { text, stopped } = await showCall(id);
  expect(stopped).toBe("interrupted");
  const lines = text.split("\n").slice(0, -1);
  expect(lines).toEqual(lines.map((_, index) => `line ${index + 1}`));
  expect(lines.length).toBeGreaterThanOrEqual(1);
  expect(listState(stage, "sessions")).toEqual([`${id}.jsonl`, `${id}.lock`]);
  expect(
    readState(stage, "sessions", `${id}.jsonl`).match(/"interrupted","reason"|"status":"interrupted"/g),
  ).toHaveLength(1);
});

test("[T6] the last of a burst is stored although nothing follows it (X32)", async () => {
  const running = stage.start(["run", "--", "printf '1\\n2\\n3\\n4\\n5\\n'; sleep 618"]);
  await running.said(/5\n/);
  const id = await appearanceOfSession(stage);
  // As often as it takes: the interval is a second, and the machine may be busy.
  await expect
    .poll(async () => (await stage.call(["show", id])).stdout, { timeout: 30_000 })
    .toContain("1\n2\n3\n4\n5\n");
  running.kill("SIGKILL");
  await running.ended;

  expect((await stage.start(["resume", id]).ended).stdout).toMatch(/^1\n2\n3\n4\n5\n/);
});

test("[H4] a call that is stopped has the same text for who watched it and for the model (X19)", async () => {
  const running = stage.start(["run", "--", "n=0; while :; do n=$((n + 1)); echo count $n; sleep 0.05; done"]);
  await running.said(/count 10\n/);
  const id = await appearanceOfSession(stage);
  running.kill("SIGINT");
  const { stdout } = await running.ended;

  const { text, notice } = await showCall(id);

  expect(stdout).toBe(`${text}${notice}\n`);
});
