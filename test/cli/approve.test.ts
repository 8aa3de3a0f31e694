import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isCi } from "../support/machine-needs.js";
import { openAskingHost } from "./support/asking-host.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const made = (name: string): boolean => existsSync(join(stage.home, name));

test("[R30] calls that wait are listed with all that they would be given, and decided about one by one", async () => {
  await using host = await openAskingHost(stage, [["touch a\nprintf '\u001b[2J\u202e'", "touch b"]]);
  await host.lane.prompt("go");
  const [first = "", second = ""] = await host.waiting(2);

  const listed = await stage.call(["approve"]);
  const asJson = await stage.call(["approve", host.session, "--json"]);
  expect(listed.stdout).toContain(`bash waits for approval (${first})\n  $ touch a\n  printf '\ufffd[2J\ufffd'\n`);
  expect(listed.stdout).toContain(`  spillway approve ${host.session} ${second} [--deny]\n`);
  expect(parseLines(asJson.stdout)).toMatchObject([
    { type: "waiting", session: host.session, lane: "main", call: first, tool: "bash" },
    { type: "waiting", call: second, args: { command: "touch b" } },
  ]);
  expect([made("a"), made("b")]).toEqual([false, false]);

  const denied = await stage.call(["approve", host.session, first, "--deny", "--reason", "no screens"]);
  const allowed = await stage.call(["approve", host.session, second, "--always", "--json"]);

  expect(denied).toMatchObject({ code: 0, stdout: `denied ${first} of session ${host.session}\n`, stderr: "" });
  expect(parseLines(allowed.stdout)).toEqual([
    { type: "decided", session: host.session, lane: "main", call: second, decision: "allow", always: true },
  ]);
  await expect.poll(() => host.lane.view().operation).toBeNull();
  expect([made("a"), made("b")]).toEqual([false, true]);
  expect(JSON.stringify(host.lane.view().transcript)).toContain("no screens");
  expect((await stage.call(["approve"])).stderr).toBe("spillway: no call waits for approval\n");
});

test.skipIf(!isCi)(
  "[R30] what waits for nothing, and what is not there, is said in words with the code 1",
  async () => {
    await using host = await openAskingHost(stage, [["true"]]);
    const decide = async (...args: string[]): Promise<unknown[]> => {
      const { code, stderr } = await stage.call(["approve", ...args]);
      return [code, stderr];
    };

    expect(await decide(host.session, "call_9")).toEqual([
      1,
      expect.stringContaining("No call call_9 of this lane waits"),
    ]);
    await host.end();
    expect(await decide(host.session)).toEqual([1, expect.stringContaining("no process works on session s_asks")]);
    expect(await decide("s_none", "call_1")).toEqual([
      1,
      expect.stringContaining("no process works on session s_none"),
    ]);
  },
);

const badUses: readonly (readonly [string[], string])[] = [
  [["--deny"], "name the call to decide about"],
  [["s_1", "call_1", "--reason", "x"], "add --deny"],
  [["s_1", "CALL"], "is no call's id"],
];

test.each(isCi ? badUses : badUses.slice(0, 1))(
  "[R4] [R30] approve %j is bad use and decides nothing",
  async (args, message) => {
    const { code, stderr } = await stage.call(["approve", ...args]);

    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  },
);

test("[R29] attach asks on a terminal, a key decides, and the output of what was allowed follows", async () => {
  await using host = await openAskingHost(stage, [["echo one"], ["touch two"], ["echo three"]], {
    takesMessages: false,
  });
  await host.lane.prompt("go");
  const attached = stage.startOnTerminal(["attach", host.session]);
  const answer = async (key: string, said: RegExp): Promise<void> => {
    const typing = setInterval(() => attached.type(key), 100);
    await attached.said(said).finally(() => clearInterval(typing));
  };

  await attached.said(/\$ echo one[^]*y allow · n deny · a allow bash from now on/);
  await answer("y", /bash is allowed \(/);
  await attached.said(/\$ touch two[^]*y allow/);
  await answer("n", /bash is denied \(/);
  await attached.said(/\$ echo three[^]*y allow/);
  await answer("a", /bash is allowed \([^]*bash is allowed \(/);
  await expect.poll(() => host.lane.view().operation).toBeNull();
  await host.end();
  const { code, stdout } = await attached.ended;

  expect(code).toBe(0);
  // Where a key is pressed again once nothing is asked, the terminal itself shows it.
  expect(stdout).toMatch(/is allowed [^]*y*one\r\n[^]*is denied [^]*is allowed [^]*a*three\r\n/);
  expect(made("two")).toBe(false);
  expect(host.lane.view().transcript.filter(({ type }) => type === "tool")).toMatchObject([
    { approval: { decision: "allow" }, isError: false },
    { approval: { decision: "deny" }, isError: true },
    { approval: { decision: "allow" }, isError: false },
  ]);
});

test.skipIf(!isCi)("[R29] while it asks, Ctrl-C leaves as ever and what was asked goes on to wait", async () => {
  await using host = await openAskingHost(stage, [["true"]], { takesMessages: false });
  await host.lane.prompt("go");
  const attached = stage.startOnTerminal(["attach", host.session]);
  await attached.said(/y allow/);

  attached.type("\u0003");
  const { code, stdout } = await attached.ended;

  expect(code).toBe(130);
  expect(stdout).toContain("which goes on");
  expect(await host.waiting(1)).toHaveLength(1);
});

test("[R29] without a terminal attach names the command that decides, and tells what was decided elsewhere", async () => {
  await using host = await openAskingHost(stage, [["echo one"]], { takesMessages: false });
  await host.lane.prompt("go");
  const [call = ""] = await host.waiting(1);
  const attached = stage.start(["attach", host.session]);
  await attached.said(new RegExp(`spillway approve ${host.session} ${call} \\[--deny\\]`));
  expect(attached.output).not.toContain("y allow");

  await stage.call(["approve", host.session, call]);
  await attached.said(/bash is allowed, not from here/);
  await expect.poll(() => host.lane.view().operation).toBeNull();
  await host.end();

  expect(await attached.ended).toMatchObject({ code: 0, stdout: "one\n" });
});
