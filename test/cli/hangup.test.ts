import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isCi } from "../support/machine-needs.js";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { appearanceOfSession, listSessions } from "./support/sessions.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage({ hosted: true });
});
afterEach(() => stage[Symbol.dispose]());

const command = "echo before; while [ ! -e go ]; do sleep 0.02; done; echo after; exit 7";
const letGo = (): void => writeFileSync(join(stage.home, "go"), "");

test("[R3] [R14] a terminal that is closed ends the run and not its command, which resume takes up", async () => {
  const running = stage.startOnTerminal(["run", "--", command], { cwd: stage.home });
  const id = await appearanceOfSession(stage);
  await running.said(/before\s/);

  // What has the other side of the terminal is gone, as when its window is closed.
  running.kill("SIGKILL");
  await running.ended;
  await expect
    .poll(async () => (await listSessions(stage)).map(({ state }) => state), { timeout: 30_000 })
    .toEqual(["unsettled"]);
  const resumed = stage.start(["resume", id]);
  await resumed.said(/before\n/);
  letGo();

  expect(await resumed.ended).toMatchObject({ code: 7, stdout: expect.stringMatching(/^before\nafter\n/) });
});

test.runIf(isCi)("[R3] a run that is told so by SIGHUP says what goes on", async () => {
  const running = stage.start(["run", "--", command]);
  await running.said(/before\n/);
  running.kill("SIGHUP");
  const ended = await running.ended;
  letGo();
  const resumed = await stage.start(["resume"]).ended;

  expect(ended).toMatchObject({ code: 129, stdout: "before\n" });
  expect(ended.stderr).toMatch(/what runs goes on: spillway resume \w+\n$/);
  expect(resumed).toMatchObject({ code: 7, stdout: expect.stringMatching(/^before\nafter\n/) });
});

test.runIf(isCi)(
  "[R3] [R34] a closed terminal ends ask and not the call, and resume lets the model go on",
  async () => {
    const turns = [[{ type: "toolCall", name: "bash", args: { command } }], [{ type: "text", text: "That was it." }]];
    writeFileSync(join(stage.home, "model.json"), JSON.stringify({ version: 1, turns }));
    const asking = stage.startOnTerminal(["ask", "--yes", "--model", "script:model.json", "wait"], { cwd: stage.home });
    const id = await appearanceOfSession(stage);
    await asking.said(/before\s/);
    asking.kill("SIGKILL");
    await asking.ended;
    await expect
      .poll(async () => (await listSessions(stage)).map(({ state }) => state), { timeout: 30_000 })
      .toEqual(["unsettled"]);
    letGo();

    const resumed = await stage.start(["resume", id]).ended;

    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining("That was it.") });
    expect((await stage.call(["show", id])).stdout).toMatch(/before\nafter\n/);
  },
);
