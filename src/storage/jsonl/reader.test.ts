import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionScope } from "../address.js";
import type { SessionReader, SessionStorage } from "../contract.js";
import { hookFiles, makeGate } from "./fixtures/hooked-files.js";
import { compilePrograms } from "./fixtures/processes.js";
import type { Programs } from "./fixtures/processes.js";
import {
  addEntry,
  addOutput,
  entries,
  fillSample,
  memo,
  output,
  readSample,
  scope,
} from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { watchReads } from "./fixtures/watched-reads.js";
import { createJsonlStorage } from "./jsonl-storage.js";

let programs: Programs;
beforeAll(() => {
  programs = compilePrograms();
});
afterAll(() => programs[Symbol.dispose]());

test("[S2] reading changes nothing and takes no lock", async () => {
  using folder = openTemporaryFolder();
  const writer = await createJsonlStorage({ folder: folder.path }).create("s1");
  await fillSample(writer);
  const before = folder.contents();
  const calls: string[] = [];
  const files = hookFiles(({ name, file }) => void calls.push(`${name} ${file}`));
  const refuseLocks = { acquire: () => Promise.reject(new Error("a reader took the lock")) };

  const reader = await createJsonlStorage({ folder: folder.path, files, locks: refuseLocks }).read("s1");
  await readSample(reader);
  await reader.usage();
  await reader.close();

  expect(calls).toEqual([]);
  expect(folder.contents()).toEqual(before);
  await writer.close();
});

test.each(["s1.jsonl", "s1.op_1.jsonl"])(
  "[S6] a reader sees a line of %s once its last byte is there, and never damage",
  async (file) => {
    using folder = openTemporaryFolder();
    const storage = createJsonlStorage({ folder: folder.path });
    const writer = await storage.create("s1");
    await fillSample(writer);
    const full = await readSample(writer);
    await writer.close();
    const bytes = folder.read(file);
    const lastLine = bytes.lastIndexOf("\n", bytes.length - 2) + 1;
    folder.write(file, bytes.subarray(0, lastLine));
    const reader = await storage.read("s1");
    const before = await readSample(reader);
    expect(before).not.toEqual(full);

    for (let place = lastLine; place < bytes.length; place += 1) {
      expect(await readSample(reader), `with ${place} of ${bytes.length} bytes`).toEqual(before);
      appendFileSync(join(folder.path, file), bytes.subarray(place, place + 1));
    }

    expect(await readSample(reader)).toEqual(full);
    await reader.close();
  },
);

describe.each([
  // As long as what is taken back, so that neither the size nor the place of the text tells.
  { next: "good a" },
  { next: "a longer one, which goes on behind what was read" },
])("lines that the writer takes back, the next one being '$next'", ({ next }) => {
  test("[S6] are given up by a reader that had read them", async () => {
    using folder = openTemporaryFolder();
    const { writer, takeBack } = await openFailing(folder);
    const reader = await createJsonlStorage({ folder: folder.path }).read("s1");
    // The first line is whole and cannot be told from one that will be acknowledged.
    expect((await readSample(reader)).entries).toEqual(["kept", "lost a"]);

    await takeBack();
    await addEntry(writer, next);

    expect(await reader.readList(entries)).toEqual(await writer.readList(entries));
    expect((await readSample(reader)).entries).toEqual(["kept", next]);
    await reader.close();
    await writer.close();
  });

  test("[S6] at any step of a reading, are read as before or after", async () => {
    let steps = 1;
    for (let step = 1; step <= steps; step += 1) {
      using folder = openTemporaryFolder();
      const { writer, takeBack } = await openFailing(folder);
      const watch = watchReads();
      const reader = await createJsonlStorage({ folder: folder.path, files: watch.files }).read("s1");
      const before = await reader.readList(entries);
      const change = (): Promise<void> => takeBack().then(() => addEntry(writer, next));

      watch.before(step, change);
      const read = await reader.readList(entries);
      if (watch.isDone) steps += 1;
      else await change();

      expect([before, await writer.readList(entries)], `taken back before step ${step}`).toContainEqual(read);
      await reader.close();
      await writer.close();
    }
    expect(steps).toBeGreaterThan(4);
  });
});

describe.each<{ what: string; change: (writer: SessionStorage) => Promise<unknown>; states: readonly string[][] }>([
  { what: "rewritten", change: supersede, states: [["base"]] },
  { what: "retired", change: retire, states: [[]] },
  {
    what: "retired and begun anew",
    change: (writer) => retire(writer).then(() => addOutput(writer, "new")),
    states: [[], ["new"]],
  },
])("a sidecar that is $what", ({ change, states }) => {
  test.each(["new", "known"])(
    "[S6] at any step of a %s reader's reading, is read as it was at a time",
    async (kind) => {
      let steps = 1;
      for (let step = 1; step <= steps; step += 1) {
        using folder = openTemporaryFolder();
        const writer = await createJsonlStorage({ folder: folder.path, outputCapBytes: 100 }).create("s1");
        const before = Array.from({ length: 3 }, (_, place) => `${place} ${"x".repeat(400)}`);
        for (const text of before) await addOutput(writer, text);
        const watch = watchReads();
        const open = (): Promise<SessionReader> =>
          createJsonlStorage({ folder: folder.path, files: watch.files }).read("s1");
        const known = kind === "known" ? await open() : undefined;

        watch.before(step, () => change(writer));
        const reader = known ?? (await open());
        const read = await readOutput(reader);
        if (watch.isDone) steps += 1;
        else await change(writer);

        expect([before, ...states], `changed before step ${step}`).toContainEqual(read);
        expect(await readOutput(reader)).toEqual(states.at(-1));
        await reader.close();
        await writer.close();
      }
      expect(steps).toBeGreaterThan(5);
    },
  );
});

test("[S6] a reader follows a writer's process through rewrites, retirements and its death", async () => {
  using folder = openTemporaryFolder();
  const writer = programs.start("write", [folder.path, "s1"]);
  await writer.said((line) => line.startsWith("memo"));
  const reader = await createJsonlStorage({ folder: folder.path }).read("s1");
  const rounds = process.env["CI"] === "true" ? 300 : 60;
  let told = 0;

  while (told < rounds) {
    const read = (await reader.readList(entries, { limit: 10_000 })).elements.map(({ value }) => value);
    const live = (await readOutput(reader)).map((text) => Number(text.split(" ")[1]));
    expect(read.length).toBeGreaterThanOrEqual(told);
    expect(read).toEqual(read.map((_, place) => `entry ${place + 1}`));
    expect(live).toEqual(live.map((_, place) => (live[0] ?? 0) + place));
    told = Number(writer.lines.findLast((line) => line.startsWith("entry"))?.split(" ")[1]);
  }
  writer.kill("SIGKILL");
  await writer.ended;

  const last = Number(writer.lines.findLast((line) => line.startsWith("entry"))?.split(" ")[1]);
  expect((await reader.readList(entries, { limit: 10_000 })).elements.length).toBeGreaterThanOrEqual(last);
  await reader.close();
});

/** A writer that is about to take back two lines, of which the first is whole in the file. */
async function openFailing(
  folder: TemporaryFolder,
): Promise<{ readonly writer: SessionStorage; readonly takeBack: () => Promise<void> }> {
  const reached = makeGate();
  const released = makeGate();
  let isFailing = false;
  const files = hookFiles(async ({ name, bytes }) => {
    if (!isFailing) return undefined;
    if (name === "write") return bytes - 1;
    if (name === "truncate") reached.open();
    return name === "truncate" ? released.opened : undefined;
  });
  const writer = await createJsonlStorage({ folder: folder.path, files }).create("s1");
  await addEntry(writer, "kept");
  isFailing = true;
  const lost = Promise.allSettled([addEntry(writer, "lost a"), addEntry(writer, "lost b")]);
  await reached.opened;
  return {
    writer,
    async takeBack() {
      released.open();
      expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      isFailing = false;
    },
  };
}

async function readOutput(reader: SessionReader): Promise<readonly string[]> {
  return (await reader.readList(output, { limit: 10_000 })).elements.map(({ value }) => value);
}

function retire(writer: SessionStorage): Promise<unknown> {
  return writer.commit(sessionScope, (transaction) => transaction.retireScope(scope));
}

async function supersede(writer: SessionStorage): Promise<void> {
  await writer.commit(scope, (transaction) => transaction.append(output, "base", { supersedes: true }));
  // Begins when the rewriting has ended.
  await writer.commit(scope, (transaction) => transaction.set(memo, 1));
  expect((await writer.usage()).sidecarBytes).toBeLessThan(500);
}
