import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { findSession, readState } from "./support/sessions.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const isCi = process.env["CI"] === "true";
const ENTER = "\r";
const CTRL_D = "\u0004";

function script(...turns: readonly (readonly object[])[]): string {
  writeFileSync(join(stage.home, "model.json"), JSON.stringify({ version: 1, turns }));
  return "script:model.json";
}

const bash = (command: string): object => ({ type: "toolCall", name: "bash", args: { command } });
const text = (words: string): object => ({ type: "text", text: words });
const untilOn = (then: string): string => `echo running; until [ -e on ]; do sleep 0.1; done; ${then}`;

test("[R18] attach shows the conversation of ask: prompt, answers and calls, as they come and as they are stored", async () => {
  const model = script([text("I look.\n"), bash(untilOn("echo over"))], [text("All is well.")]);
  const running = stage.start(["ask", "--yes", "--model", model, "look here"]);
  running.endInput();
  await running.said(/I look/);
  const attached = stage.start(["attach"]);
  await attached.said(/I look\.\n/);
  writeFileSync(join(stage.home, "on"), "");
  const [, live] = await Promise.all([running.ended, attached.ended]);
  const stored = await stage.call(["attach"]);
  const quiet = await stage.call(["attach", "--quiet"]);

  const answers = "I look.\n\nAll is well.\n";
  expect(live).toMatchObject({ code: 0, stdout: answers });
  expect(live.stderr).toMatch(
    /^> look here\nbash echo running[^]* · done · 2 lines\n[^]* {2}over\n[^]*ended: completed\n$/,
  );
  expect(stored).toMatchObject({ code: 0, stdout: answers });
  expect(stored.stderr).toMatch(/^> look here\nbash [^]*no process runs session/);
  expect(quiet).toMatchObject({ code: 0, stdout: "All is well.\n", stderr: "" });
});

test("[R18] [R34] at a terminal what is typed into attach decides, steers and asks", async () => {
  const model = script([bash(untilOn("echo over"))], [text("First.")], [text("Second.")]);
  const asked = stage.startOnTerminal(["ask", "--model", model]);
  await asked.said(/ask something/);
  const attached = stage.startOnTerminal(["attach", await findSession(stage)]);
  await attached.said(/ask something; Ctrl-C leaves/);
  attached.type(`look here${ENTER}`);
  await attached.said(/› look here[^]*bash waits for your word/);
  attached.type(`y${ENTER}`);
  await attached.said(/type to steer; Ctrl-C leaves/);
  attached.type(`be quick${ENTER}`);
  await attached.said(/\[2m› be quick/);
  writeFileSync(join(stage.home, "on"), "");
  await attached.said(/First\./);
  await asked.said(/First\.[^]*ask something/);
  attached.type(CTRL_D);
  const left = await attached.ended;
  asked.type(CTRL_D);
  await asked.ended;

  expect(left.code).toBe(0);
  expect(left.stdout).toMatch(/left session \S+, which goes on/);
  expect(left.stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(left.stdout.lastIndexOf("\u001b[?25l"));
  expect(left.stdout.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(left.stdout.lastIndexOf("\u001b[?2004h"));
  const { stdout: told } = await stage.call(["show", "--json"]);
  expect(told).toMatch(/"text":"look here"/);
  expect(told).toMatch(/"text":"be quick","queuedAs":"steer"/);
});

test.runIf(isCi)(
  "[R18] [R30] where nobody can type, attach names the command that decides, and follows a resumed process",
  async () => {
    const model = script([bash("touch made")], [text("Done.")]);
    const asked = stage.startOnTerminal(["ask", "--model", model, "make it"]);
    await asked.said(/bash waits for your word/);
    const attached = stage.start(["attach"]);
    await attached.said(/bash waits for your word\n {2}touch made\n {2}spillway approve \S+ \S+ \[--deny\]\n/);
    const { pid } = JSON.parse(readState(stage, "run", `${await findSession(stage)}.json`)) as { pid: number };
    process.kill(pid, "SIGKILL");
    await asked.ended;
    await attached.said(/the connection was lost/);
    const resumed = stage.startOnTerminal(["resume"]);
    await attached.said(/connected again/);
    resumed.type(`y${ENTER}`);
    const [end, seen] = await Promise.all([resumed.ended, attached.ended]);

    expect([end.code, seen.code, existsSync(join(stage.home, "made"))]).toEqual([0, 0, true]);
    expect(seen.stdout).toBe("Done.\n");
  },
);
