import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestEnv } from "../../local/fixtures/test-env.js";
import { createSpillRoot, DAY_MS } from "./fixtures/spill-root.js";
import { createSpillBudget } from "./spill-budget.js";

/** Ten years before the moment of the root, so in the past of any clock. */
const LONG_AGO_MS = 3_650 * DAY_MS;
const SPILL = { capture: { spill: true } };

test("[X18] the budget grants what the files of all sessions leave of it, to the byte", async () => {
  const root = createSpillRoot();
  root.add("s_1/exec_a.log", { bytes: 600 });
  root.add("s_2/exec_b.after.log", { bytes: 300 });
  const budget = createSpillBudget(root.folder, 1_000);

  expect(await Promise.all([budget.take(60), budget.take(60)])).toEqual([60, 40]);
});

test("[X18] what was removed meanwhile is granted again, and a root that is not there yet is empty", async () => {
  const root = createSpillRoot();
  const path = root.add("s_1/exec_a.log", { bytes: 900 });
  const budget = createSpillBudget(root.folder, 1_000);
  expect(await budget.take(100)).toBe(100);
  root.add("s_2/exec_b.log", { bytes: 100 });
  expect(await budget.take(1)).toBe(0);

  rmSync(path);

  expect(await budget.take(900)).toBe(900);
  expect(await createSpillBudget(join(root.folder, "nowhere"), 7).take(9)).toBe(7);
});

test("[X18] an execution that would take the env over its quota stops saving, not the command, and says how much", async () => {
  const root = createSpillRoot();
  root.add("s_other/exec_a.log", { bytes: 90_000 });
  const spillFolder = join(root.folder, "s_own");
  const place = openTestEnv({ spillFolder, spillRoot: root.folder, maxEnvSpillBytes: 100_000 });

  const { value, text } = await place.run("seq 1 3000; seq 1 3000; exit 4", SPILL);
  const next = await place.run("seq 1 3000", SPILL);
  await place.close();

  expect(value).toMatchObject({
    exitCode: 4,
    truncation: { totalBytes: 27_786 },
    spill: { bytes: 10_000, complete: false, reason: "quota" },
  });
  expect(text.endsWith("3000\n")).toBe(true);
  expect(next.value.spill).toMatchObject({ bytes: 0, complete: false, reason: "quota" });
});

test("[X18] what processes that were left behind print counts too", async () => {
  const root = createSpillRoot();
  const place = openTestEnv({ spillFolder: root.folder, maxEnvSpillBytes: 50_000 });
  const { value } = await place.run("yes & echo started");
  const left = await place.env.attach(value.executionId, {}, { signal: AbortSignal.timeout(300) });
  await place.env.kill(value.executionId);
  const fuller = await place.run("seq 1 3000", SPILL);
  await place.close();

  expect(left.ok).toBe(false);
  expect(fuller.value.spill).toMatchObject({ complete: false, reason: "quota" });
});

test("[X18] env.sweep keeps what it is told to keep, and what the env itself lists", async () => {
  const root = createSpillRoot();
  const place = openTestEnv({ spillFolder: join(root.folder, "s_own"), spillRoot: root.folder, maxSpillAgeMs: 1 });
  const { value } = await place.run("env -i sleep 300 </dev/null >/dev/null 2>&1 &");
  root.add(`s_own/${value.executionId}.after.log`, { ageMs: LONG_AGO_MS });
  const [kept, other] = ["s_1/exec_kept.log", "s_1/exec_other.log"].map((name) =>
    root.add(name, { ageMs: LONG_AGO_MS }),
  );
  const [started] = await place.env.list();

  const report = await place.env.sweep({ keep: (path) => path === kept });
  await place.close();

  expect(started?.executionId).toBe(value.executionId);
  expect(report.removed.map(({ path }) => path)).toEqual([other]);
});

test("[X18] an env without spills sweeps nothing, and a root that its folder is not in is refused", async () => {
  const place = openTestEnv({ spillFolder: undefined });
  expect(await place.env.sweep({ keep: new Set() })).toEqual({ removed: [], failed: [], bytes: 0 });
  await place.close();

  expect(() => openTestEnv({ spillFolder: "/a/b/c", spillRoot: "/a" })).toThrow(
    "spillFolder /a/b/c is not in spillRoot /a",
  );
  expect(() => openTestEnv({ maxEnvSpillBytes: 0.5 })).toThrow("maxEnvSpillBytes is 0.5");
});
