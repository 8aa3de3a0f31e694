import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { connectExecHost } from "../src/exec/client/exec-client.js";
import { openHostPlace } from "../src/exec/host/fixtures/host-programs.js";
import { hostPlaces, readHostFile, writeHostFile } from "../src/exec/host/host-file.js";
import { getOrThrow, readSpillFate } from "../src/exec/index.js";
import { createJumpingClock } from "../src/exec/local/fixtures/jumping-clock.js";
import { until } from "../src/exec/local/fixtures/test-env.js";
import { createFollower } from "../src/testing/exec/stage.js";
import { listenIn, openLocalHost } from "./support/exec-links.js";
import type { LocalHost } from "./support/exec-links.js";

const HOUR_MS = 3_600_000;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function openHost(options: Parameters<typeof openLocalHost>[0]): Promise<LocalHost> {
  const host = await openLocalHost(options);
  cleanups.push(() => host.close());
  return host;
}

test("[X12] a result that nobody has waits for 24 h, and then is let go of", async () => {
  const clock = createJumpingClock();
  const host = await openHost({ clock });
  const first = await connectExecHost({ connect: host.connect, owner: "s_1" });
  const { executionId } = getOrThrow(await first.start("exit 4", {}));
  await until(async () => (await first.list())[0]?.state === "ended");
  await first.disconnect();

  clock.jump(23 * HOUR_MS);
  const second = await connectExecHost({ connect: host.connect, owner: "s_1" });
  const kept = await second.attach(executionId, { keep: true });
  clock.jump(2 * HOUR_MS);
  const listed = await second.list();
  const gone = await second.attach(executionId, {});

  expect(kept).toMatchObject({ ok: true, value: { exitCode: 4 } });
  expect(listed).toEqual([]);
  expect(gone).toMatchObject({ ok: false, error: { code: "execution_unknown" } });
  await second.disconnect();
});

test("[X12] what nobody is there for goes on for an hour, by default, and no longer", async () => {
  const clock = createJumpingClock();
  const host = await openHost({ clock });
  const watcher = await connectExecHost({ connect: host.connect, owner: "s_2" });
  const first = await connectExecHost({ connect: host.connect, owner: "s_1" });
  const { executionId } = getOrThrow(await first.start("sleep 300", {}));
  await first.disconnect();
  const stateOf = async (): Promise<string | undefined> =>
    (await watcher.listAll()).find((info) => info.executionId === executionId)?.state;
  // The host has heard that the link is gone once it answers to somebody else.
  expect(await stateOf()).toBe("running");

  clock.jump(0.9 * HOUR_MS);
  const before = await stateOf();
  clock.jump(0.2 * HOUR_MS);
  await until(async () => (await stateOf()) === "ended");

  expect(before).toBe("running");
  expect(await watcher.attach(executionId, {})).toMatchObject({
    error: { code: "abandoned", message: expect.stringContaining("3600 s") },
  });
  await watcher.disconnect();
});

test("[X12] after a restart of the machine what ran before is lost, and what the last boot left misleads nobody", async () => {
  const place = openHostPlace();
  cleanups.push(() => place.dispose());
  const first = await connectExecHost({ connect: place.connect, owner: "s_1" });
  const { executionId } = getOrThrow(await first.start("sleep 300", {}));
  const before = readHostFile(place.root);
  if (before === undefined) throw new Error("the host has not announced itself");
  await first.disconnect();
  process.kill(before.pid, "SIGKILL");
  // As a boot leaves it: the announcement of a host whose number is another process's now.
  writeHostFile(place.root, { ...before, pid: process.pid, bootId: "00000000-0000-0000-0000-000000000000" });

  const second = await connectExecHost({ connect: place.connect, owner: "s_1" });

  expect(await second.attach(executionId, {})).toMatchObject({ error: { code: "execution_lost" } });
  expect(await second.kill(executionId)).toMatchObject({ error: { code: "execution_lost" } });
  expect(second.host.bootId).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
  expect(getOrThrow(await second.exec("exit 3", {})).exitCode).toBe(3);
  await second.close();
});

test("[X18] executions of all owners share a quota, which stops the saving and not the followed command", async () => {
  const host = await openHost({ maxEnvSpillBytes: 300_000 });
  const capture = { spill: true };
  const one = await connectExecHost({ connect: host.connect, owner: "s_1" });
  const two = await connectExecHost({ connect: host.connect, owner: "s_2" });

  const first = getOrThrow(await one.exec("head -c 250000 /dev/zero", { capture }));
  const second = getOrThrow(await two.exec("head -c 250000 /dev/zero; exit 6", { capture }));

  expect(first.spill).toMatchObject({ bytes: 250_000, complete: true });
  expect(second).toMatchObject({
    exitCode: 6,
    spill: { complete: false, reason: "quota" },
    truncation: { totalBytes: 250_000 },
  });
  expect(second.spill?.bytes).toBeLessThanOrEqual(50_000);
  await one.close();
  await two.close();
});

test("[X18] O24: a host removes by itself what is too old, at its start and every hour, but for what is in use", async () => {
  const clock = createJumpingClock();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "spillway-sweeps-")));
  cleanups.push(async () => rmSync(folder, { recursive: true, force: true }));
  const age = (path: string): void => {
    const weekOld = Date.now() / 1_000 - 8 * 86_400;
    utimesSync(path, weekOld, weekOld);
  };
  const plant = (name: string): string => {
    const path = join(folder, "s_1", name);
    mkdirSync(join(folder, "s_1"), { recursive: true });
    writeFileSync(path, "old");
    age(path);
    return path;
  };
  const [first, kept] = [plant("exec_first.log"), plant("exec_kept.log")];
  const sweep = { findKept: () => new Set([kept]) };
  const host = await openHost({ clock, spillRoot: folder, sweep });
  await until(() => !existsSync(first));
  const env = await connectExecHost({ connect: host.connect, owner: "s_1" });
  const capture = { spill: true };
  const { spillPath: waiting = "" } = getOrThrow(await env.exec("seq 1 30000", { capture, keep: true }));
  age(waiting);
  const later = plant("exec_later.log");

  clock.jump(HOUR_MS);
  await until(() => !existsSync(later));

  expect([existsSync(kept), existsSync(waiting)]).toEqual([true, true]);
  expect(await readSpillFate(first)).toMatchObject({ state: "expired", reason: "age", bytes: 3 });
  expect(await env.files.read(first)).toMatchObject({ error: { code: "spill_expired" } });
  await env.close();
});

test("[X20] X03: with both ends kept over a host the first error is there, and the gap is stated exactly", async () => {
  const host = await openHost({});
  const env = await connectExecHost({ connect: host.connect });
  const follower = createFollower();
  const limits = { retain: "both", maxBytes: 5_000, maxLines: 100 } as const;
  const command = "echo 'ROOT CAUSE 17'; seq 1 200000; exit 1";

  const { exitCode, truncation, spillPath } = getOrThrow(
    await env.exec(command, { capture: { limits, spill: true }, onUpdate: follower.onUpdate }),
  );

  const { text = "", tail = "" } = follower.view ?? {};
  const whole = readFileSync(spillPath ?? "", "utf8");
  expect([exitCode, truncation.totalLines, truncation.totalBytes]).toEqual([1, 200_001, whole.length]);
  expect(text.startsWith("ROOT CAUSE 17\n1\n")).toBe(true);
  expect(text.split("\n").length - 1).toBe(20);
  expect(tail.split("\n").length - 1).toBe(80);
  expect(whole.startsWith(text) && whole.endsWith(tail)).toBe(true);
  await env.close();
});

test("[X15] [X19] X40, X41: of the client's secrets only the values to mask reach the host, and no answer, file or log has them", async () => {
  const canary = "zz-canary-4711-zz";
  const host = await openHost({});
  const { connect, heard } = listenIn(host.connect);
  const environment = { PATH: process.env["PATH"], ANTHROPIC_API_KEY: canary, OLLAMA_API_KEY: "short", MINE: "seen" };
  const env = await connectExecHost({ connect, environment });
  const follower = createFollower();
  const [half, rest] = [canary.slice(0, 9), canary.slice(9)];
  // Whole; in two reads; behind so much that it lies at the window's edge and in the spill.
  const command = `printf '%s%s\\n' ${half} ${rest}; printf %s ${half}; sleep 0.2; printf '%s\\n' ${rest}; yes "${half}""${rest}" | head -n 4000; echo "$MINE"`;

  const result = getOrThrow(await env.exec(command, { capture: { spill: true }, onUpdate: follower.onUpdate }));
  await env.exec("exit 1", {});
  await env.close();

  const spill = readFileSync(result.spillPath ?? "", "utf8");
  expect(heard.up.split(canary).length - 1).toBe(1);
  expect(heard.up).not.toContain("ANTHROPIC_API_KEY");
  // What is too short to be masked is not told either.
  expect(heard.up).not.toMatch(/OLLAMA_API_KEY|"short"/);
  for (const text of [heard.down, spill, follower.text]) expect(text).not.toContain(canary);
  expect(follower.text.endsWith("seen\n")).toBe(true);
  // Totals are of what the command printed, the spill's size is the file's.
  expect(result.truncation.totalBytes).toBe(4_002 * (canary.length + 1) + 5);
  expect(result.spill?.bytes).toBe(spill.length);
  expect(spill.split("\n")).toHaveLength(4_004);
});

test("[X19] a host's own files say nothing of its environment or of what it ran", async () => {
  const place = openHostPlace();
  cleanups.push(() => place.dispose());
  const canary = "zz-canary-files-zz";
  const env = await connectExecHost({
    connect: place.connect,
    environment: { ...process.env, OPENAI_API_KEY: canary },
  });

  getOrThrow(await env.exec(`echo ${canary.slice(0, 9)}`, { env: { MY_TOKEN: canary } }));
  await env.exec("true", { cwd: `/no/${canary}` });

  const { file, log } = hostPlaces(place.root);
  for (const path of [file, log]) expect(readFileSync(path, "utf8")).not.toContain(canary);
  await env.close();
});
