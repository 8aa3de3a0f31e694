import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { readHostFile } from "../../src/exec/host/host-file.js";
import { connectCommand, connectDaemon, connectExecHost, getOrThrow } from "../../src/exec/index.js";
import { processesWith, uniqueSeconds, until } from "../../src/exec/local/fixtures/test-env.js";
import { isAlive } from "../../src/exec/local/watchdog/fixtures/host-process.js";
import { createFollower } from "../../src/testing/exec/stage.js";
import { repository } from "../support/files.js";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
let root: string;
beforeEach(() => {
  stage = openCliStage();
  root = join(stage.home, "root");
});
afterEach(async () => {
  const pid = readHostFile(root)?.pid;
  if (pid !== undefined) {
    process.kill(pid, "SIGTERM");
    await until(() => !isAlive(pid));
  }
  stage[Symbol.dispose]();
});

const main = join(repository, "dist", "bin", "spillway.js");
const words = (...rest: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  main,
  "exec-host",
  "--root",
  root,
  ...rest,
];
const socket = (): string => join(stage.home, "host.sock");

test("[R28] --stdio serves who holds its streams, and ends with them", async () => {
  const seconds = uniqueSeconds();
  const env = await connectExecHost({ connect: connectCommand(words("--stdio")), cwd: stage.home });
  const follower = createFollower();
  getOrThrow(await env.exec("pwd; seq 1 5000 | tail -n 1", { onUpdate: follower.onUpdate, capture: { spill: true } }));
  getOrThrow(await env.start(`sleep ${seconds}`, {}));

  await env.disconnect();

  expect(follower.text).toBe(`${stage.home}\n5000\n`);
  await until(() => processesWith(seconds).length === 0 && processesWith(root).length === 0);
});

test("[R28] --socket serves many, keeps what runs when they go, and ends when it is asked to", async () => {
  const host = stage.start(["exec-host", "--root", root, "--socket", socket()]);
  const connect = connectDaemon({ root });
  await until(() => readHostFile(root) !== undefined);
  const first = await connectExecHost({ connect, owner: "s_1" });
  const { executionId } = getOrThrow(await first.start("sleep 0.2; echo went on", {}));
  await first.disconnect();

  const second = await connectExecHost({ connect, owner: "s_1" });
  const follower = createFollower();
  getOrThrow(await second.attach(executionId, { onUpdate: follower.onUpdate }));
  await second.disconnect();
  host.kill("SIGTERM");

  expect(follower.text).toBe("went on\n");
  expect(await host.ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(readHostFile(root)).toBeUndefined();
});

test("[R28] of two that are started at once one serves, and the other says so and ends well", async () => {
  const hosts = [1, 2].map((number) =>
    stage.start(["exec-host", "--root", root, "--socket", join(stage.home, `${number}.sock`), "--idle-exit", "1"]),
  );

  const ends = await Promise.all(hosts.map(({ ended }) => ended));

  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect(ends.map(({ stderr }) => stderr).toSorted()).toEqual(["", `spillway: ${root} has an exec host already\n`]);
});

test("[R28] with nothing to do for --idle-exit it ends and leaves no announcement", async () => {
  const host = stage.start(["exec-host", "--root", root, "--socket", socket(), "--idle-exit", "1"]);

  expect(await host.ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(readHostFile(root)).toBeUndefined();
  expect(existsSync(socket())).toBe(false);
});

test("[R28] both carry the streams to the one on the socket, which is started and outlives them", async () => {
  const relay = connectCommand(words("--stdio", "--socket", socket(), "--idle-exit", "20"));
  const first = await connectExecHost({ connect: relay, owner: "s_1" });
  const { executionId } = getOrThrow(await first.start("sleep 0.2; exit 9", {}));
  const { hostId } = first.host;
  await first.disconnect();

  const second = await connectExecHost({ connect: relay, owner: "s_1" });

  expect(second.host.hostId).toBe(hostId);
  expect(getOrThrow(await second.attach(executionId, {})).exitCode).toBe(9);
  await second.close();
});

test("[R28] help says both ways, and what a socket's path may be is said before anything starts", async () => {
  const help = await stage.start(["exec-host", "--help"]).ended;
  const long = await stage.start(["exec-host", "--root", root, "--socket", `/tmp/${"x".repeat(200)}`]).ended;

  expect(help).toMatchObject({ code: 0, stderr: "" });
  expect(help.stdout).toMatch(
    /--stdio[^]*--socket \[path\][^]*--idle-exit[^]*ssh host spillway exec-host --stdio --socket/,
  );
  expect(long.code).toBe(1);
  expect(long.stderr).toContain("longer than 100 bytes; give a shorter one");
});

test("[R28] [X19] a host on streams keeps its own secrets from commands, output and its log", async () => {
  const canary = "zz-canary-host-zz-1";
  const env = { ...process.env, SPILLWAY_HOME: root, OPENAI_API_KEY: canary };
  const client = await connectExecHost({
    connect: connectCommand(words("--stdio", "--socket", socket(), "--idle-exit", "20"), { env }),
    cwd: stage.home,
  });
  const follower = createFollower();

  getOrThrow(await client.exec(`echo "[$OPENAI_API_KEY]"; echo zz-canary-host-; env`, { onUpdate: follower.onUpdate }));
  await client.close();

  expect(follower.text.startsWith("[]\n")).toBe(true);
  expect(follower.text).not.toContain(canary);
  for (const file of ["exec-host.json", "exec-host.log"]) {
    expect(readFileSync(join(root, "run", file), "utf8")).not.toContain(canary);
  }
});
