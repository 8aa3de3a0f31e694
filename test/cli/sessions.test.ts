import { readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { findSession, listSessions, listState, readState } from "./support/sessions.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const spillway = (...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  stage.call(args);

test("[R13] a session goes on: its transcript holds both runs, in order, and each report counts its own", async () => {
  await spillway("run", "--quiet", "--", "echo first");
  const id = await findSession(stage);

  const again = await spillway("run", "--json", "--session", id, "--", "echo second; exit 4");

  expect(again.code).toBe(4);
  const report = parseLines(again.stdout).at(-1);
  const [session] = await listSessions(stage);
  expect(report).toMatchObject({ type: "report", log: { sidecarBytes: 0 } });
  const { mainBytes } = (report as { log: { mainBytes: number } }).log;
  expect(mainBytes).toBeLessThan(Number(session?.["mainBytes"]) * 0.7);
  const { stdout } = await spillway("show", id);
  expect(stdout).toMatch(/> echo first\n[^]*\nfirst\n[^]*> echo second; exit 4\n[^]*\nsecond\n/);
  // The prompt is the command, so it stands there once.
  expect(stdout.split("echo second; exit 4")).toHaveLength(2);
});

test("[R13] [S8] a session that is being run has one writer; a second is told its pid, and nothing of it lands", async () => {
  const running = stage.start(["run", "--", "echo up; sleep 612"]);
  await running.said(/up/);
  const id = await findSession(stage);
  const before = readState(stage, "sessions", `${id}.jsonl`);

  const second = await spillway("run", "--session", id, "--", "echo no");
  const third = await spillway("resume", id);
  const removal = await spillway("rm", id);

  expect([second.code, third.code, removal.code]).toEqual([125, 1, 1]);
  for (const { stderr } of [second, third, removal]) expect(stderr).toContain(`process ${running.pid}`);
  expect(readState(stage, "sessions", `${id}.jsonl`)).toBe(before);
  running.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
});

test("[R13] an unknown session is no new one", async () => {
  const ended = await spillway("run", "--session", "build", "--", "echo no");

  expect(ended.code).toBe(125);
  expect(ended.stderr).toContain("There is no session build");
  expect(listState(stage, "sessions")).toEqual([]);
});

test("[R15] sessions are listed with how they ended, the one that was used last first", async () => {
  await spillway("run", "--quiet", "--", "echo one");
  await spillway("run", "--quiet", "--timeout", "0.2", "--", "sleep 613");
  const running = stage.start(["run", "--", "echo up; sleep 614"]);
  await running.said(/up/);

  const table = await spillway("sessions");
  const sessions = await listSessions(stage);
  running.kill("SIGTERM");
  await running.ended;

  expect(table.stdout).toMatch(
    /^SESSION .*\n.* running .* sleep 614\n.* failed .* sleep 613\n.* completed .* echo one\n$/,
  );
  expect(sessions.map(({ state, call, pid }) => [state, call, pid])).toEqual([
    ["running", null, running.pid],
    ["completed", "failed", null],
    ["completed", "done", null],
  ]);
  expect((await listSessions(stage))[0]?.["state"]).toBe("aborted");
});

test("[R15] a damaged session is listed as that, beside the others", async () => {
  await spillway("run", "--quiet", "--", "echo one");
  const id = await findSession(stage);
  const file = join(stage.home, "state", "sessions", `${id}.jsonl`);
  const bytes = readFileSync(file);
  bytes[60] = (bytes[60] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await spillway("run", "--quiet", "--", "echo two");

  const table = await spillway("sessions");

  expect(table.code).toBe(0);
  expect(table.stdout).toMatch(/ completed .* echo two\n/);
  expect(table.stdout).toMatch(new RegExp(`${id} +damaged .*${id}.jsonl, line 1`));
  const shown = await spillway("show", id, "--json");
  expect(shown.code).toBe(1);
  expect(JSON.parse(shown.stdout)).toMatchObject({ type: "error", code: "damaged" });
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test("[R15] show reads beside the writer and writes nothing", async () => {
  const running = stage.start(["run", "--", "echo shown; sleep 615"]);
  await running.said(/shown/);
  const id = await findSession(stage);
  await expect.poll(() => listState(stage, "sessions").length, { timeout: 20_000 }).toBe(3);
  const files = (): string[] => listState(stage, "sessions").map((name) => readState(stage, "sessions", name));
  await expect.poll(async () => (await spillway("show")).stdout, { timeout: 20_000 }).toMatch(/\nshown\n/);
  const before = files();

  const shown = await spillway("show");
  const lines = parseLines((await spillway("show", id, "--json")).stdout);

  expect(files()).toEqual(before);
  expect(shown.stdout).toContain(`Process ${running.pid} works on it`);
  expect(lines.map(({ type }) => type)).toEqual(["session", "entry", "entry", "operation"]);
  expect(lines.at(-1)).toMatchObject({
    status: "running",
    calls: [{ toolName: "bash", args: { command: "echo shown; sleep 615" } }],
  });
  running.kill("SIGINT");
  await running.ended;
});

test("[R16] the whole output of a call, byte for byte, and parts of it", async () => {
  await spillway("run", "--quiet", "--", `for i in $(seq 30000); do printf 'line %d \\033[1m\\377\\n' $i; done`);
  const id = await findSession(stage);
  const file = join(stage.home, "whole");

  const whole = await stage.shell(`$SPILLWAY cat ${id} > ${file}`);
  const part = await stage.shell(
    `$SPILLWAY cat ${id} --lines 29-30 | od -c | head -n 3; $SPILLWAY cat ${id} --tail 1 | cut -c1-10`,
  );

  const expected = Array.from({ length: 30_000 }, (_, index) => `line ${index + 1} \u001b[1m\u00ff\n`).join("");
  expect(whole.code).toBe(0);
  expect(readFileSync(file).equals(Buffer.from(expected, "latin1"))).toBe(true);
  expect(part.stdout).toMatch(/^0000000 +l +i +n +e +2 +9 +033 +\[ +1 +m +377 +\\n/);
  expect(part.stdout).toMatch(/line 30000\n$/);
});

test("[R16] an output that needed no file is printed as its text; an unknown call says which there are", async () => {
  await spillway("run", "--quiet", "--", "printf 'a\\nb'");
  const id = await findSession(stage);

  expect((await spillway("cat", id)).stdout).toBe("a\nb");
  expect((await spillway("cat", id, "--tail", "1")).stdout).toBe("b");
  const unknown = await spillway("cat", id, "call_9");
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toMatch(/has no call call_9; it has: call_\w{16}\n/);
});

test("[R16] [X15] an output with masked secrets is whole; a file that was cut since is not", async () => {
  const key = "sk-0123456789abcdefghijklmnopqrstuv";
  const script = `for i in $(seq 3000); do echo "line $i with ${key} in it"; done`;
  await stage.start(["run", "--quiet", "--", script], { env: { OPENAI_API_KEY: key } }).ended;
  const id = await findSession(stage);
  const [name = ""] = listState(stage, join("spill", id));

  const whole = await spillway("cat", id, "--tail", "1");
  truncateSync(join(stage.home, "state", "spill", id, name), 40_000);
  const cut = await spillway("cat", id);

  expect(whole).toMatchObject({ code: 0, stdout: "line 3000 with [secret] in it\n", stderr: "" });
  expect(cut.code).toBe(1);
  expect(cut.stderr).toMatch(/holds 40,000 of \d+,\d+ bytes\n/);
});

test("[R16] a reader that has seen enough is no crash", async () => {
  await spillway("run", "--quiet", "--", "seq 300000");
  const id = await findSession(stage);

  const ended = await stage.shell(`$SPILLWAY cat ${id} | head -n 1; echo \${PIPESTATUS[0]}`);

  expect(ended).toMatchObject({ stdout: "1\n141\n", stderr: "" });
});

test("[R16] a spill that was replaced by a link is not followed, and a path elsewhere is not read", async () => {
  await spillway("run", "--quiet", "--", "seq 300000");
  const id = await findSession(stage);
  const [name = ""] = listState(stage, join("spill", id));
  const spill = join(stage.home, "state", "spill", id, name);
  const secret = join(stage.home, "secret");
  writeFileSync(secret, "zz-secret");
  rmSync(spill);
  symlinkSync(secret, spill);

  const ended = await spillway("cat", id);

  expect(ended.code).toBe(1);
  expect(ended.stdout).toBe("");
});

test("[R17] rm removes all that belongs to a session", async () => {
  await spillway("run", "--quiet", "--", "seq 300000");
  const id = await findSession(stage);
  expect(listState(stage, "spill")).toEqual([id]);

  const removed = await spillway("rm", id);
  const again = await spillway("rm", id);

  expect([removed.code, again.code]).toEqual([0, 1]);
  expect(again.stderr).toContain(`There is no session ${id}`);
  expect([listState(stage, "sessions"), listState(stage, "spill"), listState(stage, "run")]).toEqual([[], [], []]);
});

test("[S9] [R11] folders of the state are private, whatever the umask, and so are its files", async () => {
  const ended = await stage.shell(`umask 000; $SPILLWAY run --quiet -- 'seq 300000 >&2; ls -l $SPILLWAY_HOME/run'`);
  const id = await findSession(stage);
  const mode = (...path: string[]): string => (statSync(join(stage.home, "state", ...path)).mode & 0o777).toString(8);

  expect(ended.stdout).toContain(`${id}.json`);
  expect(["", "sessions", "spill", "run", join("spill", id)].map((path) => mode(path))).toEqual(
    Array.from({ length: 5 }, () => "700"),
  );
  const files = ["sessions", join("spill", id)].flatMap((path) =>
    listState(stage, path).map((name) => mode(path, name)),
  );
  expect(new Set(files)).toEqual(new Set(["600"]));
});

test("[R15] what a log holds cannot control a terminal", async () => {
  await spillway("run", "--quiet", "--", ": '\u001b]0;owned\u0007' \u009b31m");
  const id = await findSession(stage);

  for (const command of [["show", id], ["sessions"]]) {
    const { stdout } = await stage.startOnTerminal(command).ended;

    expect(stdout).toContain("]0;owned");
    expect(stdout).not.toContain("\u001b]");
    expect(stdout).not.toContain("\u009b");
  }
});
