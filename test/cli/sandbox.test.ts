import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { skipReason } from "../support/machine-needs.js";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const lack = skipReason("bwrap");

describe.skipIf(lack !== undefined)(`under bubblewrap ${lack ?? ""}`, () => {
  test("[R27] --sandbox holds the command to its folder, --writable adds one, --no-network cuts it off", async () => {
    for (const name of ["work", "given", "other"]) mkdirSync(join(stage.home, name));
    const command =
      "touch here ../given/file; touch ../other/file 2>/dev/null || echo held; " +
      "echo $(tail -n +3 /proc/net/dev | grep -vc lo:); ls -A $SPILLWAY_HOME 2>/dev/null | tr '\\n' ' '; exit 5";
    const options = ["--cwd", "work", "--writable", "given", "--sandbox", "--no-network", "--quiet"];

    const ended = await stage.start(["run", ...options, "--", command]).ended;

    expect(ended).toMatchObject({ code: 5, stderr: "" });
    // Of the state only the folder of spills is there.
    expect(ended.stdout).toMatch(/^held\n0\nspill \n/);
    expect(existsSync(join(stage.home, "work/here"))).toBe(true);
    expect(existsSync(join(stage.home, "given/file"))).toBe(true);
    expect(existsSync(join(stage.home, "other/file"))).toBe(false);
  });

  test("[R27] what is too much for the window is saved outside as without a sandbox", async () => {
    const ended = await stage.start(["run", "--sandbox", "--quiet", "--", "seq 1 20000"]).ended;
    const path = /\S+\/spill\/\S+\.log/.exec(ended.stdout)?.[0] ?? "";

    expect(ended.code).toBe(0);
    expect(readFileSync(path, "utf8").endsWith("\n19999\n20000\n")).toBe(true);
  });
});

test.skipIf(lack !== undefined)(
  "[R27] a session that was begun in a sandbox is resumed in one, or not at all",
  async () => {
    const running = stage.start(["run", "--sandbox", "--no-network", "--quiet", "--", "touch ran; sleep 619"]);
    await expect.poll(() => existsSync(join(stage.home, "ran")), { timeout: 30_000, interval: 10 }).toBe(true);
    running.kill("SIGKILL");
    await running.ended;

    const without = await stage.start(["resume"], { env: { PATH: "/nowhere" } }).ended;
    const resumed = await stage.start(["resume"]).ended;

    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("apt install bubblewrap")]);
    expect([resumed.code, resumed.stdout]).toEqual([1, expect.stringContaining("Its effects may exist")]);
  },
);

test("[R27] without bubblewrap nothing is run, and the message says how to get it", async () => {
  const env = { PATH: "/nowhere" };

  const ended = await stage.start(["run", "--sandbox", "--", "touch ran"], { env }).ended;

  expect(ended.code).toBe(125);
  expect(ended.stderr).toContain("apt install bubblewrap");
  expect(existsSync(join(stage.home, "ran"))).toBe(false);
});
