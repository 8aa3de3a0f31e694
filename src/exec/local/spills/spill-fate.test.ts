import { appendFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSpillRoot, DAY_MS, NOW, setAge } from "./fixtures/spill-root.js";
import { readSpillFate } from "./spill-fate.js";

test("[X18] X16: a spill that a sweep removed is expired, with its size, the date and the reason", async () => {
  const root = createSpillRoot();
  const old = root.add("s_1/exec_a.log", { bytes: 4_711, ageMs: 8 * DAY_MS });
  const large = root.add("s_1/exec_b.after.log", { bytes: 10_000, ageMs: DAY_MS });
  expect(await readSpillFate(old)).toEqual({ state: "present", bytes: 4_711 });

  await root.sweep({ maxBytes: 9_999 });

  expect(await readSpillFate(old)).toEqual({ state: "expired", removedAt: NOW, reason: "age", bytes: 4_711 });
  expect(await readSpillFate(large)).toEqual({ state: "expired", removedAt: NOW, reason: "quota", bytes: 10_000 });
});

test("[X18] X16: a spill that somebody deleted, or that never was, is missing", async () => {
  const root = createSpillRoot();
  const path = root.add("s_1/exec_a.log", { bytes: 5 });
  rmSync(path);

  expect(await readSpillFate(path)).toEqual({ state: "missing" });
  expect(await readSpillFate(join(root.folder, "s_gone/exec_b.log"))).toEqual({ state: "missing" });
});

test("[X18] a file that is there is present whatever was noted of an earlier one, and the last note counts", async () => {
  const root = createSpillRoot();
  const path = root.add("s_1/exec_a.log", { bytes: 5, ageMs: 8 * DAY_MS });
  await root.sweep();
  root.add("s_1/exec_a.log", { bytes: 6, ageMs: 9 * DAY_MS });
  expect(await readSpillFate(path)).toEqual({ state: "present", bytes: 6 });

  await root.sweep();

  expect(await readSpillFate(path)).toMatchObject({ state: "expired", bytes: 6 });
});

test("[X18] notes that a crash has cut off, or somebody spoiled, hide no others", async () => {
  const root = createSpillRoot();
  const first = root.add("s_1/exec_a.log", { bytes: 1, ageMs: 8 * DAY_MS });
  await root.sweep();
  appendFileSync(
    join(root.folder, "s_1/removed.jsonl"),
    '{}\n{"file":7}\nnull\n{"file":"exec_a.log","removedAt":1,"bytes":',
  );
  const second = root.add("s_1/exec_b.log", { bytes: 2, ageMs: 8 * DAY_MS });
  await root.sweep();

  expect(await readSpillFate(first)).toMatchObject({ state: "expired", bytes: 1 });
  expect(await readSpillFate(second)).toMatchObject({ state: "expired", bytes: 2 });
});

test("[X18] a link is no spill, and a planted journal is neither written through nor read", async () => {
  const root = createSpillRoot();
  const outside = join(root.folder, "outside.txt");
  writeFileSync(outside, '{"file":"exec_b.log","removedAt":1,"reason":"age","bytes":1}\n');
  const path = root.add("s_1/exec_a.log", { bytes: 1, ageMs: 8 * DAY_MS });
  symlinkSync(outside, join(root.folder, "s_1/removed.jsonl"));
  symlinkSync(outside, join(root.folder, "s_1/exec_c.log"));
  setAge(path, 8 * DAY_MS);

  const report = await root.sweep();

  expect(report.removed).toHaveLength(1);
  expect(report.failed).toEqual([{ path: join(root.folder, "s_1"), message: expect.stringContaining("ELOOP") }]);
  await expect(readSpillFate(join(root.folder, "s_1/exec_c.log"))).rejects.toThrow("ELOOP");
});
