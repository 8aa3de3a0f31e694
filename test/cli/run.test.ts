import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { findProcesses } from "./support/processes.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

test("[R1] one argument is shell text, several are words", async () => {
  const text = await stage.start(["run", "--quiet", "--", "echo $((1+1)) | tr 2 3"]).ended;
  const words = await stage.start(["run", "--quiet", "--", "printf", "%s|", "a b", "$HOME", "--json"]).ended;

  expect(text).toEqual({ code: 0, signal: null, stdout: "3\n", stderr: "" });
  expect(words).toEqual({ code: 0, signal: null, stdout: "a b|$HOME|--json|\n", stderr: "" });
});

test.each([
  ["its own code", "exit 3", 3],
  ["a signal", "kill -9 $$", 137],
  ["a missing command", "there-is-no-such-command", 127],
  ["a file that cannot be run", "touch plain && ./plain", 126],
  ["an early reader, without pipefail", "yes | head -n 2", 0],
  ["an early reader, with pipefail (case X13)", "set -o pipefail; yes | head -n 2", 141],
])("[R2] %s", async (_name, command, code) => {
  const ended = await stage.start(["run", "--", command]).ended;

  expect(ended.code).toBe(code);
  expect(ended.stderr).not.toContain("spillway:");
});

test("[R2] a timeout gives 124 and keeps what was written", async () => {
  const ended = await stage.start(["run", "--timeout", "1", "--", "echo started; sleep 600"]).ended;

  expect(ended.code).toBe(124);
  expect(ended.stdout).toMatch(/^started\n/);
  expect(await findProcesses("sleep 600", stage)).toEqual([]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGQUIT", 131],
] as const)("[R3] %s stops the command, settles and gives %i", async (signal, code) => {
  const running = stage.start(["run", "--", "echo up; sleep 601"]);
  await running.said(/up/);
  running.kill(signal);
  const ended = await running.ended;

  expect(ended.code).toBe(code);
  expect(ended.stdout).toMatch(/^up\n\S/);
  expect(ended.stderr).toContain("What this run cost");
  expect(await findProcesses("sleep 601", stage)).toEqual([]);
});

test("[R3] a second signal kills what will not end, and leaves", async () => {
  const running = stage.start(["run", "--", "trap 'echo asked' INT TERM HUP; echo up; while :; do sleep 0.2; done"]);
  await running.said(/up/);
  const start = performance.now();
  running.kill("SIGINT");
  // Two signals that are pending at once may arrive in either order.
  await running.said(/asked/);
  running.kill("SIGTERM");
  const ended = await running.ended;

  expect(ended.code).toBe(143);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(await findProcesses("trap 'echo asked' INT TERM HUP", stage)).toEqual([]);
});

test("[R6] what a command prints is printed, once, from both pipes", async () => {
  const command = "for i in 1 2 3; do echo out $i; echo err $i >&2; done";
  const ended = await stage.start(["run", "--", command]).ended;

  expect(ended.code).toBe(0);
  expect(ended.stdout.split("\n").sort()).toEqual(["", "err 1", "err 2", "err 3", "out 1", "out 2", "out 3"].sort());
});

test("[R6] an unterminated last line is printed when the command has ended", async () => {
  expect((await stage.start(["run", "--", "echo one; printf two"]).ended).stdout).toBe("one\ntwo\n");
});

test("[R6] of a flood every line is printed or counted, and the notice and the spill say where all of it is", async () => {
  const ended = await stage.start(["run", "--", "seq 1 300000"]).ended;

  expect(countLines(ended.stdout)).toBe(300_000);
  const spill = findSpills(stage);
  expect(spill).toHaveLength(1);
  expect(ended.stdout.trimEnd().split("\n").at(-1)).toContain(spill[0]);
  expect(readFileSync(spill[0] ?? "", "utf8")).toBe(
    Array.from({ length: 300_000 }, (_, index) => `${index + 1}\n`).join(""),
  );
});

test("[R6] the line that says what failed is kept, at the end of any output (case X02)", async () => {
  const command = "for i in $(seq 5000); do echo ok $i; done; echo 3 failed: a b c; exit 1";
  const ended = await stage.start(["run", "--quiet", "--", command]).ended;

  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/^3 failed: a b c$/m);
  expect(ended.stderr).toBe("");
});

test("[R6] with the head kept, the first lines are what is left", async () => {
  const ended = await stage.start(["run", "--retain", "head", "--max-lines", "3", "--", "seq 1 1000"]).ended;

  expect(ended.stdout).toMatch(/^1\n2\n3\n\[/);
});

test("[R6] [X20] with both ends kept, the first and the last lines are shown with what is missing between them", async () => {
  const options = ["--retain", "both", "--max-lines", "10"];
  const quiet = await stage.start(["run", "--quiet", ...options, "--", "seq 1 1000"]).ended;
  const plain = await stage.start(["run", ...options, "--", "seq 1 1000"]).ended;
  const narrow = await stage.start(["run", "--retain", "both", "--max-lines", "4", "--", "true"]).ended;

  const end = Array.from({ length: 8 }, (_, index) => `${index + 993}\n`).join("");
  expect(
    quiet.stdout.startsWith(`1\n2\n[… 990 lines not shown]\n${end}[Lines 1-2 and 993-1000 of 1000 shown; 990 lines, `),
  ).toBe(true);
  expect(countLines(plain.stdout)).toBe(1_000);
  expect(narrow).toMatchObject({ code: 125, stderr: expect.stringContaining("maxLines is a whole number from 5 to") });
});

test("[R6] [X4] the output of a command that prints in another encoding is text", async () => {
  const ended = await stage.start(["run", "--encoding", "gbk", "--quiet", "--", "printf '\\304\\343\\272\\303\\n'"])
    .ended;

  expect(ended).toMatchObject({ code: 0, stdout: "你好\n" });
});

test("[R2] [R9] a reader that has seen enough stops the run without a crash (case X13)", async () => {
  const text = `$SPILLWAY run -- 'echo first; while :; do echo more; sleep 0.05; done' | head -n 1; echo \${PIPESTATUS[0]}`;
  const ended = await stage.shell(text);

  expect(ended).toEqual({ code: 0, signal: null, stdout: "first\n141\n", stderr: "" });
});

test("[R9] a reader that pauses holds up neither the command nor a signal", async () => {
  const mark = join(stage.home, "through");
  const running = stage.start(["run", "--", `seq 1 300000; touch ${mark}; sleep 602`], { paused: true });
  await until(() => existsSync(mark));
  running.kill("SIGINT");
  running.readOn();
  const ended = await running.ended;

  expect(ended.code).toBe(130);
  expect(ended.stdout).toMatch(/^300000$/m);
});

test("[R9] standard output that cannot be written is told, and the command is stopped", async () => {
  const ended = await stage.shell("$SPILLWAY run -- 'seq 1 100; sleep 603' >/dev/full");

  expect(ended.code).toBe(125);
  expect(ended.stderr).toMatch(/spillway: standard output cannot be written: .*ENOSPC/);
});

test("[R11] [X8] X39: a spill lies in the state folder for its owner alone, whatever the umask, and without one no folder is left", async () => {
  await stage.start(["run", "--quiet", "--", "echo short"]).ended;
  expect(readdirSync(join(stage.home, "state")).sort()).toEqual(["run", "sessions"]);

  await stage.shell("umask 000; $SPILLWAY run --quiet -- 'seq 1 100000'");
  const [spill = ""] = findSpills(stage);
  expect(spill).toMatch(/state\/spill\/[a-z0-9_-]{1,64}\/[a-z0-9_-]{1,64}\.log$/);
  expect(statSync(join(stage.home, "state")).mode & 0o777).toBe(0o700);
  for (const folder of [dirname(spill), dirname(dirname(spill))]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(spill).mode & 0o777).toBe(0o600);
});

test("[R11] a state folder that cannot be used is told with what to do", async () => {
  writeFileSync(join(stage.home, "file"), "");
  const ended = await stage.start(["run", "--", "echo no"], { env: { SPILLWAY_HOME: join(stage.home, "file") } }).ended;

  expect(ended).toMatchObject({ code: 125, stdout: "" });
  expect(ended.stderr).toMatch(
    /^spillway: cannot use the folder .*: it is not a folder; set SPILLWAY_HOME to a folder/,
  );
});

test("what a command leaves running does not hold the run, and ends with it", async () => {
  const ended = await stage.start(["run", "--", "sleep 604 & echo done"]).ended;

  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/^done\n/);
  expect(await findProcesses("sleep 604", stage)).toEqual([]);
});

test("--cwd is where the command runs, --env lets a withheld variable through", async () => {
  const env = { OPENAI_API_KEY: "key-1", ANTHROPIC_API_KEY: "key-2" };
  const command = "pwd; echo [$OPENAI_API_KEY] [$ANTHROPIC_API_KEY]";
  const args = ["run", "--quiet", "--cwd", "/", "--env", "OPENAI_API_KEY", "--", command];
  const ended = await stage.start(args, { env }).ended;

  expect(ended.stdout).toBe("/\n[key-1] []\n");
});

/** Counts the numbers from 1 on, each expected after the one before, and those that a gap says were not shown. */
function countLines(output: string): number {
  let count = 0;
  for (const line of output.split("\n")) {
    const gap = /^\[… (\d+) lines? not shown, see \S+\]$/.exec(line);
    if (gap !== null) count += Number(gap[1]);
    else if (line === String(count + 1)) count += 1;
    else if (/^\d/.test(line)) throw new Error(`after ${count} came ${line}`);
  }
  return count;
}

function findSpills({ home }: CliStage): string[] {
  const folder = join(home, "state", "spill");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".log"))
    .map((path) => join(folder, path));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
