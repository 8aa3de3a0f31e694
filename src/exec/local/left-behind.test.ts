import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixture, openTestEnv, pipesHeld, processesWith, uniqueSeconds, until } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

const HANG_MS = 10_000;

let place: TestEnv;
beforeEach(() => {
  place = openTestEnv();
});
afterEach(() => place.close());

test("[X10] O19: a silent process in the background that holds only standard error does not hold the call", async () => {
  const seconds = uniqueSeconds();
  const held = pipesHeld();
  const begun = performance.now();

  const { value, text } = await place.run(`sleep ${seconds} </dev/null >/dev/null & echo fin`);

  expect(text).toBe("fin\n");
  expect(value).toMatchObject({ exitCode: 0, left: [{ command: `sleep ${seconds}` }] });
  expect(performance.now() - begun).toBeLessThan(HANG_MS);
  expect(await place.env.list()).toMatchObject([{ state: "left", pids: [value.left[0]?.pid] }]);

  await place.env.close();
  await until(() => pipesHeld() === held);
});

test("[X10] O20: after the call nothing of a process that prints on is told, and it goes on into a file", async () => {
  const { value, text, updates } = await place.run(
    "( while :; do echo tick; sleep 0.05; done ) & sleep 0.3; echo started",
  );
  const told = updates.length;
  const log = value.leftOutputPath ?? "";

  await until(() => existsSync(log) && readFileSync(log, "utf8").includes("tick\ntick\ntick\n"));

  expect(text).toContain("started\n");
  expect(updates.length).toBe(told);
  expect(log).toBe(join(place.spillFolder, `${value.executionId}.after.log`));
  expect(statSync(log).mode & 0o777).toBe(0o600);
  expect(statSync(place.spillFolder).mode & 0o777).toBe(0o700);
});

test("[X10] a flood in the background does not hold the call and is not saved beyond the quota", async () => {
  const own = openTestEnv({ maxSpillBytes: 100_000 });

  const { value } = await own.run("yes & echo started");
  await until(() => (statSync(value.leftOutputPath ?? "", { throwIfNoEntry: false })?.size ?? 0) >= 99_000);
  const report = await own.env.kill(value.executionId);

  expect(value).toMatchObject({ exitCode: 0, left: [{ command: "yes" }] });
  expect(report).toMatchObject({ ok: true, value: { survivors: [] } });
  expect(statSync(value.leftOutputPath ?? "").size).toBeLessThanOrEqual(100_000);
  await own.close();
});

test("[X10] X08: a server that a command leaves behind answers the next one, until the env is closed", async () => {
  const server = fixture("http-server.mjs");
  await place.run(`node ${server} port >/dev/null 2>&1 &`);
  await until(() => existsSync(join(place.folder, "port")));
  const port = readFileSync(join(place.folder, "port"), "utf8");

  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("here");
  await place.env.close();
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");
  expect(processesWith(server)).toEqual([]);
});

test("[X12] what was left behind is no longer listed once it has ended by itself", async () => {
  await place.run("while [ ! -e go ]; do sleep 0.02; done >/dev/null 2>&1 &");
  expect(await place.env.list()).toMatchObject([{ state: "left" }]);

  await place.run("touch go");

  await until(async () => (await place.env.list()).length === 0);
});

test("[X12] what was left behind can be followed until it ends", async () => {
  const { value, text } = await place.run(
    "(while [ ! -e go ]; do sleep 0.02; done; echo late; echo later >&2) & echo now",
  );
  const texts: string[] = [];
  const attached = place.env.attach(value.executionId, {
    onUpdate: (update) =>
      texts.push(update.kind === "replace" ? update.output.text : "text" in update ? update.text : ""),
  });

  await place.run("touch go");
  const result = await attached;

  expect(text).toBe("now\n");
  expect(texts.join("").split("\n").toSorted()).toEqual(["", "late", "later"]);
  expect(result).toMatchObject({ ok: true, value: { exitCode: 0, truncation: { totalLines: 2, totalBytes: 11 } } });
  expect(await place.env.list()).toEqual([]);
});

test("[X12] following ends when what is left holds no pipe and goes away", async () => {
  const { value } = await place.run("while [ ! -e go ]; do sleep 0.02; done >/dev/null 2>&1 &");
  const attached = place.env.attach(value.executionId, {});

  await place.run("touch go");

  expect(await attached).toMatchObject({ ok: true, value: { truncation: { totalBytes: 0 } } });
});

test("[X10] no file is named for processes that print elsewhere", async () => {
  const { value } = await place.run("while [ ! -e go ]; do sleep 0.02; done >/dev/null 2>&1 &");

  expect(value.left.length).toBeGreaterThan(0);
  expect(value).not.toHaveProperty("leftOutputPath");
  expect((await place.env.list())[0]).not.toHaveProperty("leftOutputPath");
});

test("[X10] without a folder for it, output of what is left is read and not kept", async () => {
  const bare = openTestEnv({ spillFolder: undefined });

  const { value } = await bare.run("(while [ ! -e go ]; do sleep 0.02; done; seq 1 40000; touch done) & echo now");
  await bare.run("touch go");
  await until(() => existsSync(join(bare.folder, "done")));

  expect(value).not.toHaveProperty("leftOutputPath");
  await bare.close();
});

test("[X17] a process that is left behind with an empty environment is found by the pipe it holds", async () => {
  const seconds = uniqueSeconds();

  const { value } = await place.run(`(env -i setsid sleep ${seconds} &) ; echo now`);

  expect(value.left).toMatchObject([{ command: `sleep ${seconds}` }]);
  await place.env.kill(value.executionId);
  expect(processesWith(seconds)).toEqual([]);
});

test("[X10] what is left behind may say a last word when it is stopped", async () => {
  const { value } = await place.run(
    "(trap 'echo bye; exit' TERM; echo up >ready; while :; do sleep 0.02; done) & true",
  );
  await until(() => existsSync(join(place.folder, "ready")));

  await place.env.kill(value.executionId);

  expect(readFileSync(value.leftOutputPath ?? "", "utf8")).toContain("bye\n");
});
