import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { createProcTable } from "./proc-table.js";
import { createPsTable } from "./ps-table.js";
import { MARKER_VARIABLE } from "./tree.js";

const lacksProc = !existsSync("/proc/self/stat");
const NO_PROC = "this system does not show its processes as files";
const started: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A process with the markers `a` and `b` that has said that it runs. */
async function startMarked(): Promise<number> {
  const child = spawn("/bin/sh", ["-c", "echo ready; exec sleep 60"], {
    detached: true,
    env: { ...process.env, [MARKER_VARIABLE]: "a:b" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  await new Promise((resolve) => {
    child.stdout?.once("data", resolve);
  });
  // The shell has printed; its program is replaced a moment later.
  return child.pid ?? 0;
}

/** Folders as the kernel shows them, for the processes of these stat lines. */
function writeProc(stats: Readonly<Record<number, string>>, newest: number): string {
  const root = mkdtempSync(join(tmpdir(), "proc-"));
  folders.push(root);
  writeFileSync(join(root, "loadavg"), `0.00 0.01 0.05 1/80 ${newest}\n`);
  writeFileSync(join(root, "uptime"), "123.45 200.00\n");
  for (const [pid, stat] of Object.entries(stats)) {
    mkdirSync(join(root, pid));
    writeFileSync(join(root, pid, "stat"), stat);
  }
  return root;
}

const statOf = (pid: number, state: string, startedAt: number): string =>
  `${pid} (a (strange) na me) ${state} 1 77 78 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 ${startedAt} 1000 1 18446744073709551615\n`;

test("[X9] the kernel's files tell markers, group, session and command line of a real process", async ({ skip }) => {
  skip(lacksProc, NO_PROC);
  const pid = await startMarked();
  const table = createProcTable();

  const found = (await table.list({ since: table.startOf(pid) })).find((process) => process.pid === pid);

  expect(found?.markers()).toEqual(["a", "b"]);
  expect([found?.group, found?.session, found?.parent]).toEqual([pid, pid, process.pid]);
  expect(found?.describe().command).toContain("sleep 60");
  expect(table.now()).toBeGreaterThanOrEqual(table.startOf(pid));
});

test("[X9] ps tells the markers and the group of a real process too", async () => {
  const pid = await startMarked();

  const found = (await createPsTable(process.platform).list({ since: 0 })).find((process) => process.pid === pid);

  expect(found?.markers()).toEqual(["a", "b"]);
  expect([found?.group, found?.parent]).toEqual([pid, process.pid]);
});

test("[X17] zombies and processes that are older than the question are left out", async () => {
  const root = writeProc({ 5: statOf(5, "S", 400), 6: statOf(6, "Z", 400), 7: statOf(7, "S", 399) }, 7);

  const found = await createProcTable(root).list({ since: 400 });

  expect(found.map(({ pid, parent, group, session, started }) => [pid, parent, group, session, started])).toEqual([
    [5, 1, 77, 78, 400],
  ]);
});

test("[X10] only processes with an id given since are looked at, also when ids began anew", async () => {
  const stats = { 3: statOf(3, "S", 1), 50: statOf(50, "S", 1), 90: statOf(90, "S", 1), 99: statOf(99, "S", 1) };
  const pidsAfter = async (newerThan: number, newest: number): Promise<number[]> =>
    (await createProcTable(writeProc(stats, newest)).list({ since: 0, newerThan })).map(({ pid }) => pid);

  expect(await pidsAfter(89, 99)).toEqual([90, 99]);
  expect(await pidsAfter(3, 99)).toEqual([50, 90, 99]);
  expect(await pidsAfter(90, 10)).toEqual([3, 99]);
  expect(await pidsAfter(99, 99)).toEqual([]);
});

test.each([
  ["123.45", 12_345],
  ["0.29", 29],
  ["24931.29", 2_493_129],
])("[X9] now, %s seconds after the start of the system, is told in the unit of start times", (uptime, ticks) => {
  const root = writeProc({}, 1);
  writeFileSync(join(root, "uptime"), `${uptime} 7.00\n`);

  expect(createProcTable(root).now()).toBe(ticks);
});
