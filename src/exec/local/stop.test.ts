import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createJumpingClock } from "./fixtures/jumping-clock.js";
import { openTestEnv, processesWith, uniqueSeconds, until } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

/** The design's figure for an abort is 3 s; a loaded machine gets far more. */
const HANG_MS = 50_000;

let place: TestEnv;
beforeAll(() => {
  place = openTestEnv();
});
afterAll(() => place.close());

const elapsedSince = (begun: number): number => performance.now() - begun;

test("[X11] O30: a timeout keeps what was printed, and says its reason", async () => {
  const clock = createJumpingClock();
  const own = openTestEnv({ clock });
  const run = own.begin("echo keep-me; sleep 60", { timeout: 2.5 });
  await run.shows("keep-me");

  clock.jump(2_500);
  const { error, text } = await run.ended;
  await own.close();

  expect(error).toMatchObject({
    code: "timeout",
    result: { exitCode: null, survivors: [], truncation: { totalBytes: 8 } },
  });
  expect(error.message).toContain("2.5 s");
  expect(text).toBe("keep-me\n");
});

test("[X11] O30: an abort keeps what was printed", async () => {
  const stop = new AbortController();
  const run = place.begin("echo keep-me; sleep 60", {}, { signal: stop.signal });
  await run.shows("keep-me");

  stop.abort();
  const { error, text } = await run.ended;

  expect(error).toMatchObject({ code: "aborted", result: { truncation: { totalLines: 1 } } });
  expect(text).toBe("keep-me\n");
});

test("[X9] X06: a command that ignores every request is killed, and is no success", async () => {
  const stop = new AbortController();
  const run = place.begin("trap '' TERM INT HUP; echo ready; sleep 60; echo survived", {}, { signal: stop.signal });
  await run.shows("ready");
  const begun = performance.now();

  stop.abort();
  const { error, text } = await run.ended;

  expect(error).toMatchObject({ code: "aborted", result: { signal: "SIGKILL", survivors: [] } });
  expect(text).toBe("ready\n");
  expect(elapsedSince(begun)).toBeLessThan(HANG_MS);
});

test("[X9] a command that cleans up when it is asked may do so, and what it says is kept", async () => {
  const stop = new AbortController();
  const command = "trap 'echo cleaned up; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
  const run = place.begin(command, {}, { signal: stop.signal });
  await run.shows("ready");

  stop.abort();
  const { error, text } = await run.ended;

  expect(error).toMatchObject({ code: "aborted", result: { exitCode: 5, signal: null } });
  expect(text).toContain("cleaned up\n");
});

test("[X9] X07: an abort reaches a process that took the shell's place", async () => {
  const stop = new AbortController();
  const run = place.begin("echo $$ >pid; echo ready; exec sleep 600", {}, { signal: stop.signal });
  await run.shows("ready");

  stop.abort();
  await run.ended;

  const pid = Number(readFileSync(join(place.folder, "pid"), "utf8"));
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("[X9] a receiver that throws ends the command, and its error is the cause", async () => {
  const seconds = uniqueSeconds();
  const cause = new Error("the receiver is broken");
  let calls = 0;
  const onUpdate = (): void => {
    calls += 1;
    throw cause;
  };

  const { error } = await place.run(`echo one; sleep 0.3; echo two; sleep ${seconds}`, { onUpdate });

  expect(error).toMatchObject({ code: "internal", cause });
  expect(error.message).toContain("the receiver is broken");
  expect(calls).toBe(1);
  expect(processesWith(seconds)).toEqual([]);
});

test("[X9] a receiver that throws at the very last update fails the call too", async () => {
  const cause = new Error("no more");
  const onUpdate = (): void => {
    throw cause;
  };

  expect((await place.run("printf x", { onUpdate })).error).toMatchObject({ code: "internal", cause });
});

test("[X12] an execution is killed by its id, and its caller is told", async () => {
  const seconds = uniqueSeconds();
  const run = place.begin(`echo ready; sleep ${seconds}`);
  await run.shows("ready");
  const [info] = await place.env.list();

  const report = await place.env.kill(info?.executionId ?? "");

  expect(report).toEqual({ ok: true, value: { executionId: info?.executionId, survivors: [] } });
  expect((await run.ended).error).toMatchObject({
    code: "aborted",
    message: expect.stringContaining("by a kill of its execution"),
  });
  expect(processesWith(seconds)).toEqual([]);
  expect(await place.env.list()).toEqual([]);
});

test("[X12] an id that is not known says so", async () => {
  expect(await place.env.kill("exec_none")).toMatchObject({ ok: false, error: { code: "execution_unknown" } });
  expect(await place.env.attach("exec_none", {})).toMatchObject({ ok: false, error: { code: "execution_unknown" } });
});

test("[X9] closing ends what runs, what was left behind and what is being started", async () => {
  const own = openTestEnv();
  const [running, left] = [uniqueSeconds(), uniqueSeconds()];
  await own.run(`sleep ${left} >/dev/null 2>&1 &`);
  const run = own.begin(`echo ready; sleep ${running}`);
  await run.shows("ready");
  const starting = own.begin(`sleep ${running}`);

  await Promise.all([own.env.close(), own.env.close()]);

  expect((await run.ended).error.code).toBe("env_closed");
  expect((await starting.ended).error.code).toBe("env_closed");
  expect(processesWith(running)).toEqual([]);
  expect(processesWith(left)).toEqual([]);
  await own.close();
});

test("[X9] every tree is registered before it is spawned and released when nothing of it is left", async () => {
  const notes: string[] = [];
  const own = openTestEnv({
    registry: {
      register: (tree) => void notes.push(`register ${tree.executionId} ${tree.marker}`),
      update: ({ shell }) => void notes.push(shell.reaped === undefined ? "runs" : "exited"),
      release: (tree) => void notes.push(`release ${tree.executionId}`),
    },
  });

  const { executionId } = (await own.run("true")).value;
  expect(notes).toEqual([`register ${executionId} ${executionId}`, "runs", "exited", `release ${executionId}`]);

  notes.length = 0;
  const left = (await own.run("sleep 300 >/dev/null 2>&1 &")).value.executionId;
  expect(notes).toEqual([`register ${left} ${left}`, "runs", "exited"]);
  await own.env.kill(left);
  await until(() => notes.length === 4);
  expect(notes.at(-1)).toBe(`release ${left}`);

  notes.length = 0;
  await own.run(
    "true",
    {},
    {
      prepared() {
        throw new Error("no");
      },
    },
  );
  expect(notes).toEqual([]);
  await own.close();
});

test("[X9] a registry that refuses stops the start", async () => {
  const own = openTestEnv({
    registry: {
      register: () => Promise.reject(new Error("no watchdog")),
      update: () => undefined,
      release: () => undefined,
    },
  });

  const { error } = await own.run("touch started");

  expect(error).toMatchObject({ code: "spawn_failed" });
  expect(error.message).toContain("no watchdog");
  expect((await own.env.list()).length).toBe(0);
  await own.close();
});
