import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { findProcesses } from "./support/processes.js";
import { findSession, readState } from "./support/sessions.js";

// A real terminal, as in terminal.test.ts.
beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const isCi = process.env["CI"] === "true";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const ENTER = "\r";

function script(...turns: readonly (readonly object[])[]): string {
  writeFileSync(join(stage.home, "model.json"), JSON.stringify({ version: 1, turns }));
  return "script:model.json";
}

const bash = (command: string): object => ({ type: "toolCall", name: "bash", args: { command } });
const write = (path: string): object => ({ type: "toolCall", name: "write", args: { path, content: "one\ntwo\n" } });
const text = (words: string): object => ({ type: "text", text: words });

/** What stands on the terminal in the end, without what only draws it. */
const plain = (stdout: string): string => stdout.replace(/\u001b\[[?\d;]*[A-Za-z]/g, "");

test("[R32] [R33] [R34] a person is asked, denies with a reason, steers, allows, and sees all of it", async () => {
  const model = script(
    [text("I look."), write("denied.txt")],
    [bash("echo running; until [ -e on ]; do sleep 0.1; done; echo over")],
    [text("All is well.")],
  );
  const running = stage.startOnTerminal(["ask", "--model", model, "make it"]);
  await running.said(/write waits for your word/);
  running.type(`what?${ENTER}`);
  await running.said(/write waits: y yes/);
  running.type(`\u0015n not here${ENTER}`);
  await running.said(/bash waits for your word/);
  running.type(`y${ENTER}`);
  await running.said(/(?:\n|\[K)running/);
  running.type(`be quick${ENTER}`);
  // Dimly, once it waits to join.
  await running.said(/\[2m› be quick/);
  writeFileSync(join(stage.home, "on"), "");
  const { code, stdout } = await running.ended;

  expect(code).toBe(0);
  expect(existsSync(join(stage.home, "denied.txt"))).toBe(false);
  const shown = plain(stdout);
  expect(shown).toMatch(/I look\.\r\n[^]*two\r\n[^]*· denied/);
  expect(shown).toMatch(/bash echo running; [^]* · done · 2 lines\r\n[^]*All is well\.\r\n[^]*· completed · /);
  expect(stdout.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?25l"));
  expect(stdout.lastIndexOf("\u001b[?2004l")).toBeGreaterThan(stdout.lastIndexOf("\u001b[?2004h"));
  const { stdout: told } = await stage.call(["show", "--json"]);
  expect(told).toContain("not here");
  expect(told).toMatch(/"text":"be quick","queuedAs":"steer"/);
});

test("[R34] without a prompt one follows the other; what was allowed for always is not asked again", async () => {
  const model = script([bash("echo a >> log")], [text("First.")], [bash("echo b >> log")], [text("Second.")]);
  const running = stage.startOnTerminal(["ask", "--model", model], { columns: 40 });
  await running.said(/ask something/);
  running.type(`one${ENTER}`);
  await running.said(/bash waits/);
  running.type(`a${ENTER}`);
  await running.said(/First\.[^]*completed[^]*ask something/);
  running.type(`two${ENTER}`);
  await running.said(/Second\.[^]*completed[^]*ask something/);
  running.type(CTRL_D);
  const { code, stdout } = await running.ended;

  expect(code).toBe(0);
  expect(readFileSync(join(stage.home, "log"), "utf8")).toBe("a\nb\n");
  expect(plain(stdout)).toMatch(/› one\r\n[^]*› two\r\n/);
});

test.runIf(isCi)(
  "[R34] Ctrl-C stops what runs, gives back what was not heard, takes the next prompt, then leaves",
  async () => {
    const model = script([bash("echo up; sleep 615")], [text("Next.")]);
    const running = stage.startOnTerminal(["ask", "--yes", "--model", model]);
    await running.said(/ask something/);
    running.type(`one${ENTER}`);
    await running.said(/up/);
    running.type(`be quick${ENTER}`);
    await running.said(/\[2m› be quick/);
    running.type(CTRL_C);
    await running.said(/aborted[^]*was not told: be quick[^]*› be quick/);
    running.type(`\u0015two${ENTER}`);
    await running.said(/Next\.[^]*completed[^]*ask something/);
    running.type(CTRL_C);
    const { code } = await running.ended;

    expect(code).toBe(130);
    expect(await findProcesses("sleep 615", stage)).toEqual([]);
    expect((await stage.call(["show", "--json"])).stdout).not.toContain("be quick");
  },
);

test.runIf(isCi)("[R32] [R34] on a dumb terminal whole lines decide, and nothing is drawn", async () => {
  const model = script([write("made.txt")], [text("Done.")]);
  const running = stage.startOnTerminal(["ask", "--model", model, "make it"], { env: { TERM: "dumb" } });
  await running.said(/write waits for your word[^]*y yes/);
  running.type("y\n");
  const { code, stdout } = await running.ended;

  expect(code).toBe(0);
  expect(readFileSync(join(stage.home, "made.txt"), "utf8")).toBe("one\ntwo\n");
  expect(stdout).toContain("Done.\r\n");
  expect(stdout).not.toContain("\u001b");
});

test.runIf(isCi)("[R34] [R31] a person whose pipe is the input still answers at the terminal", async () => {
  const model = script([write("made.txt")], [text("Done.")]);
  const words = `printf 'a change' | $SPILLWAY ask --model ${model} 'look at this'`;
  const running = stage.shellOnTerminal(words);
  await running.said(/write waits for your word/);
  running.type(`y${ENTER}`);
  const { code } = await running.ended;

  expect(code).toBe(0);
  expect(existsSync(join(stage.home, "made.txt"))).toBe(true);
});

test.runIf(isCi)("[R35] [R32] what waited for a person when it died is asked again by resume", async () => {
  const model = script([write("made.txt")], [text("Done.")]);
  const first = stage.startOnTerminal(["ask", "--model", model, "make it"]);
  await first.said(/write waits for your word/);
  const { pid } = JSON.parse(readState(stage, "run", `${await findSession(stage)}.json`)) as { pid: number };
  process.kill(pid, "SIGKILL");
  await first.ended;

  const second = stage.startOnTerminal(["resume"]);
  await second.said(/write waits for your word/);
  second.type(`y${ENTER}`);
  const { code } = await second.ended;

  expect(code).toBe(0);
  expect(existsSync(join(stage.home, "made.txt"))).toBe(true);
});
