import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { findProcesses } from "./support/processes.js";

// A real terminal, made by util-linux' script(1): what comes out of it is what a terminal would be sent.
beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const CTRL_C = "\u0003";
/** All that the live region, the colours and the end of it may send. */
const OWN_SEQUENCES = /\u001b\[(?:\?(?:2026|25|7)[hl]|\d*A|[KJ]|\d{1,2}m)/g;
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

test("[R7] output is redrawn in place and ends as plain text below which the cursor is visible", async () => {
  const command = "for i in $(seq 40); do echo line $i; printf 'at %s\\r' $i; sleep 0.02; done; echo; exit 2";
  const { code, stdout } = await stage.startOnTerminal(["run", "--", command]).ended;

  expect(code).toBe(2);
  expect(stdout).toMatch(/\d+ lines · \d+ B/);
  expect(stdout).not.toMatch(/\u001b\[[23]J|\u001bc|\u001b\[\?1049/);
  expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
  expect(stdout.lastIndexOf("\u001b[?7h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?7l"));
  const end = stdout.slice(stdout.lastIndexOf("\u001b[?25h"));
  expect(end).toContain(Array.from({ length: 40 }, (_, index) => `line ${index + 1}\r\n`).join(""));
});

test("[R8] no control of a command reaches the terminal (case O16)", async () => {
  const attacks = [
    "\\033[2J",
    "\\033]0;x\\007",
    "\\033]52;c;aGk=\\007",
    "\\033[?1049h",
    "\\033[?2004l",
    "\\302\\2332J",
    "\\033Pq#0\\033\\\\",
  ];
  const command = `for a in ${attacks.map((attack) => `'${attack}'`).join(" ")}; do printf "a$a"; printf 'b\\033'; sleep 0.05; printf '[31mc\\n'; done`;
  const { code, stdout } = await stage.startOnTerminal(["run", "--", command]).ended;

  expect(code).toBe(0);
  expect(stdout.replace(OWN_SEQUENCES, "")).not.toMatch(CONTROLS);
  expect(stdout).not.toMatch(/\[2J|aGk=|1049|2004/);
});

test("[R3] [R7] Ctrl-C is answered during a flood, settles it and gives the terminal back (case O03)", async () => {
  const running = stage.startOnTerminal(["run", "--", "yes ''"]);
  await running.said(/\d lines/);
  const start = performance.now();
  running.type(CTRL_C);
  const { code, stdout } = await running.ended;

  expect(code).toBe(130);
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
  // Whatever the flood, what is stored of it stays small.
  expect(stdout).toMatch(/sidecar at most [\d.]+ k?B in/);
  expect(await findProcesses("yes", stage)).toEqual([]);
});

test("[X9] X11: what wants a person finds none, though the run itself is on a terminal, which shows no question", async () => {
  const command =
    'cat; read x </dev/tty || echo no terminal; ssh -o ConnectTimeout=5 -o StrictHostKeyChecking=ask nohost.invalid || echo no host; read y; echo "read said $?"';
  const { code, stdout } = await stage.startOnTerminal(["run", "--timeout", "60", "--", command]).ended;

  expect(code).toBe(0);
  for (const said of ["no terminal", "no host", "read said 1"]) expect(stdout).toContain(said);
  expect(stdout).not.toMatch(/password:|Are you sure/);
});

test("[R3] [R7] a second Ctrl-C leaves at once and gives the terminal back", async () => {
  const mark = join(stage.home, "up");
  const running = stage.startOnTerminal(["run", "--", `trap '' INT TERM; touch ${mark}; while :; do sleep 0.2; done`]);
  await running.said(/ s/);
  while (!existsSync(mark)) await new Promise((resolve) => setTimeout(resolve, 20));
  running.type(CTRL_C);
  await new Promise((resolve) => setTimeout(resolve, 400));
  running.type(CTRL_C);
  const { code, stdout } = await running.ended;

  expect(code).toBe(130);
  expect(stdout.endsWith("\u001b[?7h\u001b[?25h")).toBe(true);
  expect(await findProcesses("trap '' INT TERM", stage)).toEqual([]);
});

test.each([
  ["NO_COLOR", { TERM: "xterm-256color", NO_COLOR: "1" }],
  ["TERM=dumb", { TERM: "dumb" }],
])("[R8] with %s there are no colours", async (_name, env) => {
  const { stdout } = await stage.startOnTerminal(["run", "--", "echo hello"], { env }).ended;

  expect(stdout).toContain("hello\r\n");
  expect(stdout).toContain("What this run cost");
  expect(stdout).not.toMatch(/\u001b\[\d+m/);
});

test("[R6] [R8] a dumb terminal gets plain text", async () => {
  const { stdout } = await stage.startOnTerminal(["run", "--", "echo hello"], { env: { TERM: "dumb" } }).ended;

  expect(stdout).toMatch(/^hello\r\n/);
  expect(stdout).not.toContain("\u001b");
});
