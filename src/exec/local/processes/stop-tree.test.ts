import { expect, test } from "vitest";
import { createFakeProcesses, fakeTree } from "../fixtures/fake-processes.js";
import type { FakeProcess } from "../fixtures/fake-processes.js";
import { createManualClock } from "../fixtures/manual-clock.js";
import { stopTree, TERM_GRACE_MS } from "./stop-tree.js";

const SHELL = { pid: 100, group: 100, started: 10, markers: ["m"] };
const TENACIOUS = { ignores: ["SIGTERM"] } as const;
const STRANGER = { pid: 7, started: 20 };

function setUp(processes: readonly FakeProcess[]) {
  const clock = createManualClock();
  const system = createFakeProcesses([STRANGER, ...processes]);
  const stopped = stopTree(fakeTree(SHELL.pid), { table: system.table, kill: system.kill, clock });
  return { clock, system, stopped };
}

test("[X9] a tree that goes when it is asked costs no grace", async () => {
  const { clock, system, stopped } = setUp([SHELL, { pid: 101, group: 100, started: 11 }]);

  await clock.pass(0);

  expect(await stopped).toEqual([]);
  expect(system.sent).toEqual(["SIGTERM -100", "SIGCONT -100"]);
  expect(system.alive()).toEqual([STRANGER.pid]);
});

test("[X9] what ignores the request is killed after the grace, the group in one call", async () => {
  const { clock, system, stopped } = setUp([{ ...SHELL, ...TENACIOUS }]);

  await clock.pass(1_999);
  expect(system.sent).not.toContain("SIGKILL -100");
  await clock.pass(1);
  expect(system.sent).toContain("SIGKILL -100");
  await clock.pass(4);

  expect(await stopped).toEqual([]);
  expect(system.sent.at(-1)).toBe("SIGKILL -100");
});

test("[X9] processes that left the group are asked and killed one by one", async () => {
  const daemon = { pid: 150, group: 150, started: 12, markers: ["m"], ...TENACIOUS };
  const { clock, system, stopped } = setUp([SHELL, daemon]);

  await clock.pass(TERM_GRACE_MS + 4);

  expect(await stopped).toEqual([]);
  expect(system.sent).toEqual(["SIGTERM -100", "SIGTERM 150", "SIGCONT -100", "SIGCONT 150", "SIGKILL 150"]);
});

test("[X9] processes that turn up while the others are killed are killed too", async () => {
  const { clock, system, stopped } = setUp([{ ...SHELL, ...TENACIOUS }]);
  await clock.pass(TERM_GRACE_MS);
  system.start({ pid: 160, group: 160, started: 13, markers: ["m"], ...TENACIOUS });

  await clock.pass(100);

  expect(await stopped).toEqual([]);
  expect(system.alive()).toEqual([STRANGER.pid]);
});

test("[X17] what cannot be killed is named within 5 s", async () => {
  const { clock, stopped } = setUp([{ ...SHELL, ignores: ["SIGTERM", "SIGKILL"] }]);

  await clock.pass(5_000);

  expect(await stopped).toEqual([{ pid: 100, command: "process 100" }]);
  expect(clock.pendingTimers).toBe(0);
});

test("[X9] a tree of which nothing is left is sent nothing", async () => {
  const { system, stopped } = setUp([]);

  expect(await stopped).toEqual([]);
  expect(system.sent).toEqual([]);
});
