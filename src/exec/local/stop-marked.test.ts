import { expect, test } from "vitest";
import { createFakeProcesses } from "./fixtures/fake-processes.js";
import { createManualClock } from "./fixtures/manual-clock.js";
import { processesWith, uniqueSeconds, until } from "./fixtures/test-env.js";
import { stopMarked } from "./stop-marked.js";
import { isAlive, processesMarked, startHost, watchdogOf } from "./watchdog/fixtures/host-process.js";

test("[X9] O23: what outlived both its host and the watchdog is stopped by its marker alone", async () => {
  const seconds = uniqueSeconds();
  const host = await startHost({
    commands: [
      `setsid sleep ${seconds} & ( ( setsid sh -c 'sleep ${seconds}' & ) & ); yes | sleep ${seconds} & echo up; wait`,
      `trap '' TERM; echo up; while :; do sleep ${seconds}; done`,
    ],
  });
  await until(() => processesWith(`sleep ${seconds}`).length >= 4);
  const watchdog = watchdogOf(host);
  process.kill(watchdog, "SIGKILL");
  await host.end({ signal: "SIGKILL" });
  await until(() => !isAlive(watchdog));
  expect(processesMarked(host.markers).length).toBeGreaterThanOrEqual(4);

  const survivors = await Promise.all(host.markers.map((marker) => stopMarked({ marker })));

  expect(survivors).toEqual([[], []]);
  expect(processesMarked(host.markers)).toEqual([]);
  expect(processesWith(seconds)).toEqual([]);
});

test("[X17] what cannot be stopped by its marker is named", async () => {
  const clock = createManualClock();
  const { table, kill } = createFakeProcesses([{ pid: 100, markers: ["exec_m"], ignores: ["SIGTERM", "SIGKILL"] }]);

  const stopped = stopMarked({ marker: "exec_m" }, { control: { table, kill, clock } });
  await clock.pass(10_000);

  expect(await stopped).toEqual([{ pid: 100, command: "process 100" }]);
});

test("[X15] what cannot be stopped is named without the values that its env withheld", async () => {
  const clock = createManualClock();
  const command = "server --key sk-ant-SECRET123456789 --pin inner-circle-7";
  const stuck = { pid: 100, markers: ["exec_m"], command, ignores: ["SIGTERM", "SIGKILL"] } as const;
  const { table, kill } = createFakeProcesses([stuck]);
  const environment = { ANTHROPIC_API_KEY: "sk-ant-SECRET123456789", PIN: "inner-circle-7", HOME: "server" };

  const stopped = stopMarked({ marker: "exec_m" }, { environment, withhold: ["PIN"], control: { table, kill, clock } });
  await clock.pass(10_000);

  expect(await stopped).toEqual([{ pid: 100, command: "server --key [secret] --pin [secret]" }]);
});

test("[X9] a process does not stop the execution that it is part of", async () => {
  const clock = createManualClock();
  const { table, kill, sent } = createFakeProcesses([{ pid: process.pid, markers: ["exec_outer", "exec_m"] }]);

  await expect(stopMarked({ marker: "exec_outer" }, { control: { table, kill, clock } })).rejects.toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining("exec_outer"),
  });
  expect(sent).toEqual([]);
});

test.each(["", ":", "exec_a:exec_b", "x".repeat(65)])("[X9] %j is no marker and stops nobody", async (marker) => {
  await expect(stopMarked({ marker })).rejects.toMatchObject({ code: "invalid_argument" });
});
