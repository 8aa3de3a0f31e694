import { execFileSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { openTestEnv, pipesHeld, until } from "./fixtures/test-env.js";
import type { TestEnv } from "./fixtures/test-env.js";

const CALLS = process.env["CI"] === "true" ? 500 : 18;

const descriptors = (): number => readdirSync("/proc/self/fd").length;

function zombies(): string[] {
  return execFileSync("ps", ["-o", "pid=,stat=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => /^\s*\d+\s+Z/.test(line));
}

const resources = (): string[] =>
  process.getActiveResourcesInfo().filter((name) => ["ProcessWrap", "PipeWrap", "Timeout"].includes(name));

async function callInManyWays(place: TestEnv, call: number, signal: AbortSignal): Promise<void> {
  const ways = [
    () => place.run("echo out; echo err >&2", {}, { signal }),
    () => place.run("exit 3", { timeout: 50 }, { signal }),
    () => place.run("seq 1 3000", { capture: { spill: true } }, { signal }),
    () => place.run("sleep 20", { timeout: 0.01 }, { signal }),
    () => place.run("true", { cwd: "nowhere" }, { signal }),
    () =>
      place
        .run("sleep 20 </dev/null & echo left", {}, { signal })
        .then(({ value }) => place.env.kill(value.executionId)),
  ];
  await ways[call % ways.length]?.();
}

test("[X17] many calls leave no descriptor, zombie, timer or listener", { timeout: 240_000 }, async () => {
  const stop = new AbortController();
  // The first command of a process starts its watchdog, which stays.
  const first = openTestEnv();
  await first.run("true");
  await first.close();
  const [resourcesBefore, before] = [resources().length, descriptors()];
  const place = openTestEnv();

  for (let call = 0; call < CALLS; call += 1) await callInManyWays(place, call, stop.signal);

  expect(await place.env.list()).toEqual([]);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  await place.close();
  await until(() => pipesHeld() === 0 && resources().length <= resourcesBefore);
  expect(descriptors()).toBeLessThanOrEqual(before);
  expect(zombies()).toEqual([]);
});
