import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSpillRoot, DAY_MS, setAge } from "./fixtures/spill-root.js";
import { readSpillFate } from "./spill-fate.js";
import { DEFAULT_MAX_ENV_SPILL_BYTES, DEFAULT_MAX_SPILL_AGE_MS, sweepSpills } from "./sweep-spills.js";

const MIB = 1_048_576;
const GIB = 1_073_741_824;

test("[X18] O24: old spills go without a long-lived process, those of unsettled operations stay", async () => {
  const root = createSpillRoot();
  const paths = Array.from({ length: 200 }, (_, index) =>
    root.add(`s_${index % 7}/exec_${index}.log`, { bytes: 1_000, ageMs: index % 2 === 0 ? 8 * DAY_MS : DAY_MS }),
  );
  const kept = new Set([paths[0], paths[2], paths[100]].filter((path) => path !== undefined));

  const report = await root.sweep({ keep: kept });

  const old = paths.filter((path, index) => index % 2 === 0 && !kept.has(path));
  expect(report.removed.map(({ path }) => path).sort()).toEqual(old.toSorted());
  expect(report.removed.every(({ reason, bytes }) => reason === "age" && bytes === 1_000)).toBe(true);
  expect(report).toMatchObject({ failed: [], bytes: 103_000 });
  expect(paths.filter((path) => existsSync(path))).toEqual(paths.filter((path) => !old.includes(path)));
});

test("[X18] O24: beyond the quota the oldest of all sessions go first, and no more than need be", async () => {
  const root = createSpillRoot();
  const paths = Array.from({ length: 12 }, (_, index) =>
    root.add(`s_${index % 3}/exec_${index}.log`, { bytes: GIB, ageMs: DAY_MS + index }),
  );
  expect(DEFAULT_MAX_ENV_SPILL_BYTES).toBe(10 * GIB);

  const report = await root.sweep({ keep: (path) => path === paths[11] });

  expect(report.removed).toEqual([
    { path: paths[10], bytes: GIB, reason: "quota" },
    { path: paths[9], bytes: GIB, reason: "quota" },
  ]);
  expect(report.bytes).toBe(10 * GIB);
});

test("[X18] what is kept counts, and is not removed even where nothing else is left to remove", async () => {
  const root = createSpillRoot();
  const kept = root.add("s_1/exec_kept.log", { bytes: 50 * MIB, ageMs: 30 * DAY_MS });
  root.add("s_1/exec_other.log", { bytes: MIB });

  const report = await root.sweep({ keep: new Set([kept]), maxBytes: 40 * MIB });

  expect(report.removed.map(({ bytes }) => bytes)).toEqual([MIB]);
  expect(report.bytes).toBe(50 * MIB);
});

test("[X18] the age counts from the last write, to the millisecond", async () => {
  const root = createSpillRoot();
  root.add("s_1/exec_a.log", { ageMs: DEFAULT_MAX_SPILL_AGE_MS });
  const late = root.add("s_1/exec_b.log", { ageMs: DEFAULT_MAX_SPILL_AGE_MS + 1 });

  expect((await root.sweep()).removed.map(({ path }) => path)).toEqual([late]);
});

test("[X18] what is being written stays: by its time, and by its execution's processes, whoever runs them", async () => {
  const root = createSpillRoot();
  root.add("s_1/exec_young.log", { bytes: MIB, ageMs: 60_000 });
  root.add("s_1/exec_server.log", { bytes: MIB, ageMs: 9 * DAY_MS });
  root.add("s_1/exec_server.after.log", { bytes: MIB, ageMs: 9 * DAY_MS });
  const dead = root.add("s_2/exec_dead.after.log", { bytes: MIB, ageMs: 9 * DAY_MS });

  const report = await root.sweep({ maxBytes: 0 }, [{ pid: 300, markers: ["exec_outer", "exec_server"] }]);

  expect(report.removed).toEqual([{ path: dead, bytes: MIB, reason: "age" }]);
});

test("[X18] a time in the far future is no sign of a writer", async () => {
  const root = createSpillRoot();
  root.add("s_1/exec_a.log", { bytes: MIB, ageMs: -1_000 });
  const far = root.add("s_1/exec_b.log", { bytes: MIB, ageMs: -30 * DAY_MS });

  expect((await root.sweep({ maxBytes: 0 })).removed.map(({ path }) => path)).toEqual([far]);
});

test("[X18] links are not followed, and nothing is touched that is no spill or lies outside (X39)", async () => {
  const root = createSpillRoot();
  const outside = mkdtempSync(join(tmpdir(), "spillway-outside-"));
  const theirs = join(outside, "exec_theirs.log");
  writeFileSync(theirs, "theirs");
  setAge(theirs, 30 * DAY_MS);
  symlinkSync(outside, join(root.folder, "s_link"));
  symlinkSync(theirs, join(root.folder, "exec_link.log"));
  root.add("notes.txt", { ageMs: 30 * DAY_MS });
  root.add("s_1/exec_a.log.bak", { ageMs: 30 * DAY_MS });
  root.add("s_1/deeper/exec_a.log", { ageMs: 30 * DAY_MS });
  root.add(".git/exec_a.log", { ageMs: 30 * DAY_MS });
  execFileSync("mkfifo", [join(root.folder, "exec_fifo.log")]);

  const report = await root.sweep({ maxBytes: 0, minIdleMs: 0 });

  expect(report).toEqual({ removed: [], failed: [], bytes: 0 });
  expect(readdirSync(root.folder).sort()).toEqual([
    ".git",
    "exec_fifo.log",
    "exec_link.log",
    "notes.txt",
    "s_1",
    "s_link",
  ]);
  expect(existsSync(theirs)).toBe(true);
});

test("[X18] empty folders go, one that was made just now stays", async () => {
  const root = createSpillRoot();
  for (const name of ["s_old", "s_new"]) mkdirSync(join(root.folder, name));
  setAge(join(root.folder, "s_old"), DAY_MS);
  setAge(join(root.folder, "s_new"), 1_000);

  await root.sweep();

  expect(readdirSync(root.folder)).toEqual(["s_new"]);
});

test("[X18] a root that is not there has nothing to sweep, and one that is no folder is told", async () => {
  const root = createSpillRoot();
  const file = root.add("exec_a.log", {});

  expect(await root.sweep({ folder: join(root.folder, "nowhere") })).toEqual({ removed: [], failed: [], bytes: 0 });
  expect(await root.sweep({ folder: file })).toEqual({ removed: [], failed: [], bytes: 0 });
});

test("[X18] what cannot be removed is told and counts, and the rest is removed", async () => {
  const root = createSpillRoot();
  const stuck = root.add("s_1/exec_a.log", { bytes: 5, ageMs: 9 * DAY_MS });
  const other = root.add("s_1/exec_b.log", { bytes: 7, ageMs: 9 * DAY_MS });
  const unlink = (path: string): Promise<void> =>
    path === stuck ? Promise.reject(new Error("read-only")) : Promise.resolve(rmSync(path));

  const report = await root.sweep({ unlink });

  expect(report.removed.map(({ path }) => path)).toEqual([other]);
  expect(report.failed).toEqual([{ path: stuck, message: "read-only" }]);
  expect(report.bytes).toBe(5);
  expect(await readSpillFate(stuck)).toEqual({ state: "present", bytes: 5 });
});

test("[X18] two sweeps at once remove each spill once", async () => {
  const root = createSpillRoot();
  for (let index = 0; index < 50; index += 1) root.add(`s_1/exec_${index}.log`, { ageMs: 9 * DAY_MS });

  const reports = await Promise.all([root.sweep(), root.sweep()]);

  const removed = reports.flatMap((report) => report.removed.map(({ path }) => path));
  expect(new Set(removed).size).toBe(50);
  expect(removed).toHaveLength(50);
  expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
});

test("[X18] the note of a removal is this user's alone", async () => {
  const root = createSpillRoot();
  root.add("s_1/exec_a.log", { ageMs: 9 * DAY_MS });

  await root.sweep();

  expect(statSync(join(root.folder, "s_1/removed.jsonl")).mode & 0o777).toBe(0o600);
});

test.each([
  [{ folder: "spill" }, 'folder is "spill"'],
  [{ maxBytes: -1 }, "maxBytes is -1"],
  [{ maxAgeMs: Number.NaN }, "maxAgeMs is NaN"],
  [{ minIdleMs: Infinity }, "minIdleMs is Infinity"],
])("[X18] %j cannot be", async (limits, message) => {
  await expect(sweepSpills({ folder: "/nowhere", keep: new Set(), ...limits })).rejects.toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining(message),
  });
});
