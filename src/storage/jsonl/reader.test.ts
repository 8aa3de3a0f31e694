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

test("[S6] a reader gives up lines of a commit that the writer takes back", async () => {
  using folder = openTemporaryFolder();
  const reached = makeGate();
  const released = makeGate();
  let isFailing = false;
  const files = hookFiles(async ({ name, bytes }) => {
    if (!isFailing) return undefined;
    if (name === "write") return bytes - 1;
    if (name === "truncate") reached.open();
    return name === "truncate" ? released.opened : undefined;
  });
  const storage = createJsonlStorage({ folder: folder.path, files });
  const writer = await storage.create("s1");
  await addEntry(writer, "kept");
  const reader = await storage.read("s1");
  isFailing = true;
  const lost = Promise.allSettled([addEntry(writer, "lost a"), addEntry(writer, "lost b")]);
  await reached.opened;
  // The first line is whole and cannot be told from one that will be acknowledged.
  expect((await readSample(reader)).entries).toEqual(["kept", "lost a"]);

  released.open();
  expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isFailing = false;
  expect((await readSample(reader)).entries).toEqual(["kept"]);
  // As long as what was taken back, so that the size alone does not tell.
  await addEntry(writer, "good a");

  expect((await readSample(reader)).entries).toEqual(["kept", "good a"]);
  await reader.close();
  await writer.close();
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
