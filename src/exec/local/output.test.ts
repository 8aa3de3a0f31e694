import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createJumpingClock } from "./fixtures/jumping-clock.js";
import { fixture, openTestEnv } from "./fixtures/test-env.js";
import type { EndedRun, TestEnv } from "./fixtures/test-env.js";

let place: TestEnv;
beforeAll(() => {
  place = openTestEnv();
});
afterAll(() => place.close());

const SPILL = { capture: { spill: true } } as const;
const spilled = (run: EndedRun): string => readFileSync(run.value.spillPath ?? "", "utf8");

test("[X2] the first update is a replace, later ones change it, and nothing follows the result", async () => {
  const run = await place.run("echo one; sleep 0.2; echo two; sleep 0.2; echo three");
  const told = run.updates.length;
  await place.run("sleep 0.2");

  expect(run.updates[0]?.kind).toBe("replace");
  expect(run.updates.slice(1).map((update) => update.kind)).not.toContain("replace");
  expect(run.text).toBe("one\ntwo\nthree\n");
  expect(run.updates.length).toBe(told);
  expect(run.view?.truncation).toEqual(run.value.truncation);
});

test("[X4] O04: few long lines leave the last line in the window", async () => {
  const command =
    "for i in 1 2 3 4; do head -c 40000 /dev/zero | tr '\\0' x; echo; done; echo 'E: link step failed'; exit 2";

  const { text, value } = await place.run(command);

  expect(value.exitCode).toBe(2);
  expect(text.endsWith("x\nE: link step failed\n")).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(51_200);
});

test("[X8] O05: an output that only its lines cut is saved whole", async () => {
  const run = await place.run("seq 1 3000", SPILL);

  expect(run.value.truncation).toMatchObject({ truncatedBy: "lines", totalLines: 3_000, totalBytes: 13_893 });
  expect(run.value.spill).toEqual({ path: run.value.spillPath, bytes: 13_893, complete: true });
  expect(spilled(run)).toBe(Array.from({ length: 3_000 }, (_, line) => `${line + 1}\n`).join(""));
});

test("[X3] O07: totals of both pipes are exact", async () => {
  const run = await place.run("head -c 3145728 /dev/zero & head -c 2097152 /dev/zero >&2; wait", SPILL);

  expect(run.value.truncation.totalBytes).toBe(5_242_880);
  expect(statSync(run.value.spillPath ?? "").size).toBe(5_242_880);
});

test("[X4] O11: characters that are split over reads and pipes are whole, and an unfinished one is one mark", async () => {
  const split = `node ${fixture("split-characters.mjs")}`;

  expect((await place.run(`${split} 636166c3 a920f09f a68a210a`)).text).toBe("café 🦊!\n");
  expect((await place.run(`${split} 636166c3 err:2d0a a90a`)).text.replace("-\n", "")).toBe("café\n");
  expect((await place.run(`${split} 6f6bf09f`)).text).toBe("ok\uFFFD");
});

test("[X8] the spill lies in the session's folder, for this user alone, and is announced while the command runs", async () => {
  const run = place.begin("seq 1 3000; while [ ! -e seen ]; do sleep 0.02; done", SPILL);
  await run.shows("3000");
  await place.run("touch seen");
  const { value, updates } = await run.ended;

  const announced = updates.flatMap((update) =>
    "metadata" in update ? (update.metadata.spillPath ?? []) : (update.output.spillPath ?? []),
  );
  expect(announced[0]).toBe(join(place.spillFolder, `${value.executionId}.log`));
  expect(statSync(place.spillFolder).mode & 0o777).toBe(0o700);
  expect(statSync(announced[0] ?? "").mode & 0o777).toBe(0o600);
});

test("[X8] a short output is not saved", async () => {
  const { value } = await place.run("echo short", SPILL);

  expect(value).not.toHaveProperty("spill");
  expect(existsSync(join(place.spillFolder, `${value.executionId}.log`))).toBe(false);
});

test("[X8] a quota stops the saving and not the command", async () => {
  const small = openTestEnv({ maxSpillBytes: 10_000 });

  const { value } = await small.run("seq 1 3000; exit 4", SPILL);
  await small.close();

  expect(value).toMatchObject({ exitCode: 4, spill: { bytes: 10_000, complete: false, reason: "quota" } });
});

test("[X8] a quota that is met exactly stops the saving at the next byte", async () => {
  const small = openTestEnv({ maxSpillBytes: 13_893 });

  const { value } = await small.run("seq 1 3000; sleep 0.3; echo more", SPILL);
  await small.close();

  expect(value.spill).toMatchObject({ bytes: 13_893, complete: false, reason: "quota" });
});

test("[X8] O26: a folder that cannot hold the spill does not stop the command", async () => {
  const bad = openTestEnv({ spillFolder: "/dev/null/spill" });

  const { value, text } = await bad.run("seq 1 3000; exit 4", SPILL);
  await bad.close();

  expect(value).toMatchObject({ exitCode: 4, spill: { bytes: 0, complete: false, reason: "write_failed" } });
  expect(text.endsWith("3000\n")).toBe(true);
});

test("[X11] output, totals and spill survive a timeout", async () => {
  const clock = createJumpingClock();
  const own = openTestEnv({ clock });
  const run = own.begin("seq 1 3000; sleep 60", { ...SPILL, timeout: 300 });
  await run.shows("3000\n");

  clock.jump(300_000);
  const { error, text } = await run.ended;

  expect(error).toMatchObject({
    code: "timeout",
    result: { truncation: { totalLines: 3_000 }, spill: { bytes: 13_893, complete: true } },
  });
  expect(readFileSync(error.result?.spillPath ?? "").length).toBe(13_893);
  expect(text.endsWith("3000\n")).toBe(true);
  await own.close();
});

test("[X8] a spill that is behind slows the command and loses nothing", async () => {
  const run = await place.run("seq 1 500000", SPILL);

  expect(run.value.truncation).toMatchObject({ totalBytes: 3_388_895, totalLines: 500_000 });
  expect((await place.run(`seq 1 500000 | cmp - ${run.value.spillPath}`)).value.exitCode).toBe(0);
});
