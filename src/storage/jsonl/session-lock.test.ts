import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compilePrograms } from "./fixtures/processes.js";
import type { Programs } from "./fixtures/processes.js";
import { addEntry, readSample } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";
import { kernelLocks } from "./session-lock.js";

// Writers are real processes here, and they are stopped and killed without a chance to tidy up.

let programs: Programs;
beforeAll(() => {
  programs = compilePrograms();
});
afterAll(() => programs[Symbol.dispose]());

const isHeld = (line: string): boolean => line === "held";

test("[S8] a second writer is refused before any byte lands, and told the holder's pid (X37)", async () => {
  using folder = openTemporaryFolder();
  const storage = await makeSession(folder);
  const holder = programs.start("hold", [folder.path, "s1"]);
  await holder.said(isHeld);
  const before = folder.contents();

  await expect(storage.open("s1")).rejects.toMatchObject({
    code: "session_locked",
    message: expect.stringContaining(`is written by process ${holder.pid}.`),
  });
  const second = programs.start("hold", [folder.path, "s1"]);
  const refusal = await second.said(() => true);

  expect(refusal).toContain(`refused: Session s1 is written by process ${holder.pid}.`);
  expect(folder.contents()).toEqual(before);
  expect((await readSample(await storage.read("s1"))).entries).toEqual(["first", `from ${holder.pid}`]);
});

test("[S8] 300 times a second writer is refused, whatever the first one is doing, and no byte of it lands", async () => {
  using folder = openTemporaryFolder();
  const storage = await makeSession(folder);
  const holder = programs.start("hold", [folder.path, "s1"]);
  await holder.said(isHeld);
  const before = folder.contents();
  const calls = [
    () => storage.open("s1"),
    () => storage.remove("s1"),
    () => storage.compact("s1"),
    () => storage.repair("s1"),
  ];

  const refusals: string[] = [];
  for (let count = 0; count < 75; count += 1) {
    const outcomes = await Promise.allSettled(calls.map((call): Promise<unknown> => call()));
    refusals.push(
      ...outcomes.map((outcome) => (outcome.status === "rejected" ? String(outcome.reason) : "not refused")),
    );
  }

  expect(refusals).toHaveLength(300);
  expect(new Set(refusals)).toEqual(new Set([expect.stringContaining(`is written by process ${holder.pid}.`)]));
  expect(folder.contents()).toEqual(before);
});

test("[S8] the lock of a writer that was killed is free at once, and its log intact (X37)", async () => {
  using folder = openTemporaryFolder();
  const storage = await makeSession(folder);
  const holder = programs.start("hold", [folder.path, "s1"]);
  await holder.said(isHeld);

  holder.kill("SIGKILL");
  await holder.ended;
  const third = programs.start("hold", [folder.path, "s1"]);
  await third.said(isHeld);

  await expect(storage.open("s1")).rejects.toThrow(`process ${third.pid}.`);
  expect((await readSample(await storage.read("s1"))).entries).toEqual([
    "first",
    `from ${holder.pid}`,
    `from ${third.pid}`,
  ]);
});

test("[S8] a writer that is paused keeps its session", async () => {
  using folder = openTemporaryFolder();
  const storage = await makeSession(folder);
  const holder = programs.start("hold", [folder.path, "s1"]);
  await holder.said(isHeld);

  holder.kill("SIGSTOP");
  await expect(storage.open("s1")).rejects.toMatchObject({ code: "session_locked" });
  await expect(storage.remove("s1")).rejects.toMatchObject({ code: "session_locked" });
  holder.kill("SIGCONT");

  await expect(storage.open("s1")).rejects.toThrow(`process ${holder.pid}.`);
});

test("[S8] of many that open at once one holds the session, and every other is told its pid", async () => {
  using folder = openTemporaryFolder();
  await makeSession(folder);

  const openers = Array.from({ length: 4 }, () => programs.start("hold", [folder.path, "s1"]));
  const said = await Promise.all(openers.map((opener) => opener.said(() => true)));

  const [holder] = openers.filter((_, place) => said[place] === "held");
  expect(said.toSorted()).toEqual([
    "held",
    ...Array.from({ length: 3 }, () => expect.stringContaining(`process ${holder?.pid}.`)),
  ]);
});

test("[S8] a holder that has not said yet who it is gets a moment to", async () => {
  using folder = openTemporaryFolder();
  const path = join(folder.path, "s1.lock");
  const held = await kernelLocks.acquire(path);
  const file = await open(path, constants.O_RDWR);
  await file.truncate();
  const refused = kernelLocks.acquire(path);
  await file.write(`${process.pid}\n`, 0);

  expect(await refused).toEqual({ isHeld: false, pid: process.pid });
  await file.close();
  if (held.isHeld) await held.release();
});

test("[S8] a lock outlives every reference to its session", async () => {
  using folder = openTemporaryFolder();
  const storage = await makeSession(folder);
  const holder = programs.start("hold", [folder.path, "s1"], ["--expose-gc"]);
  await holder.said(isHeld);
  await holder.said((line) => line === "collected");

  await expect(storage.open("s1")).rejects.toThrow(`process ${holder.pid}.`);
});

async function makeSession(folder: TemporaryFolder): Promise<ReturnType<typeof createJsonlStorage>> {
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  await addEntry(session, "first");
  await session.close();
  return storage;
}
