import { expect, test } from "vitest";
import { sessionScope } from "../address.js";
import { hookFiles, systemError } from "./fixtures/hooked-files.js";
import { addEntry, addOutput, fillSample, makeSample, readSample, scope } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";
import type { RepairedFile } from "./repair-session.js";

const main = "s1.jsonl";
const sidecar = "s1.op_1.jsonl";

test("[S6] verifying a session that is sound finds nothing, beside its writer too, and changes nothing", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  await fillSample(session);
  const before = folder.contents();

  const found = await storage.verify("s1");

  expect(found).toMatchObject({ sessionId: "s1", isSound: true, asides: [] });
  expect(found.files.map(({ scope: id, state, goodRecords }) => [id, state, goodRecords])).toEqual([
    [null, "sound", 5],
    ["op_1", "sound", 4],
  ]);
  expect(folder.contents()).toEqual(before);
  await session.close();
});

test("[S6] verifying names every place that is wrong, with file, line and byte", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  const lines = linesOf(folder, main);
  flip(folder, main, "one");
  flip(folder, main, "three");
  folder.write(sidecar, folder.read(sidecar).subarray(0, -5));

  const { isSound, files } = await createJsonlStorage({ folder: folder.path }).verify("s1");

  expect(isSound).toBe(false);
  const reason = "its bytes do not match its checksum";
  expect(files[0]).toMatchObject({
    state: "damaged",
    goodRecords: 1,
    standingRecords: 2,
    problems: [
      { line: 3, offset: lengthOf(lines.slice(0, 2)), reason },
      { line: 5, offset: lengthOf(lines.slice(0, 4)), reason },
    ],
  });
  expect(files[1]).toMatchObject({ state: "torn", problems: [{ line: 5, reason: "it has no end" }] });
});

test("[S6] a torn tail alone leaves a session sound", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  folder.write(main, folder.read(main).subarray(0, -5));
  const storage = createJsonlStorage({ folder: folder.path });
  const before = folder.contents();

  expect(await storage.verify("s1")).toMatchObject({ isSound: true });
  expect(await storage.repair("s1")).toEqual([]);
  expect(folder.contents()).toEqual(before);
});

test("[S6] repairing a main log saves every commit that verifies, keeps the original, and the session goes on", async () => {
  using folder = openTemporaryFolder();
  const full = await makeSample(folder);
  flip(folder, main, "two");
  const damaged = folder.read(main);

  const [file, ...others] = await repair(folder);

  expect(others).toEqual([]);
  expect(file).toMatchObject({ savedCommits: 3, lostLines: 1, problems: [{ line: 4 }] });
  expect(file?.keptAs).toMatch(/s1\.jsonl\.damaged-1$/);
  expect(folder.read("s1.jsonl.damaged-1")).toEqual(damaged);
  const expected = { ...full, entries: full.entries.filter((text) => !text.startsWith("two")) };
  expect(await readAndAdd(folder)).toEqual(expected);
  expect((await readAndAdd(folder)).entries).toEqual([...expected.entries, "added"]);
});

test.each([
  ["doubled", (lines: readonly string[]) => lines.toSpliced(3, 0, lines[2] ?? "")],
  ["swapped", (lines: readonly string[]) => [...lines.slice(0, 2), lines[3], lines[2], ...lines.slice(4)]],
])("[S6] %s lines of a main log are put in order again, and nothing is lost", async (_name, change) => {
  using folder = openTemporaryFolder();
  const full = await makeSample(folder);
  folder.write(main, Buffer.from(change(linesOf(folder, main)).join(""), "latin1"));

  expect(await repair(folder)).toMatchObject([{ savedCommits: 4, lostLines: 0 }]);

  expect(await readAndAdd(folder)).toEqual(full);
});

test("[S6] a main log without a header is given one, and no number is used again", async () => {
  using folder = openTemporaryFolder();
  const full = await makeSample(folder);
  const before = await lastSequence(folder);
  flip(folder, main, "spillway");

  expect(await repair(folder)).toMatchObject([{ savedCommits: 5, lostLines: 0 }]);

  expect((await readAndAdd(folder)).entries).toEqual([...full.entries, "numbered"]);
  expect(await lastSequence(folder)).toBeGreaterThan(before + 2 ** 32);
});

test("[S6] of a damaged sidecar what comes before the damage is saved, because what follows may build on it", async () => {
  using folder = openTemporaryFolder();
  const full = await makeSample(folder);
  flip(folder, sidecar, "three");

  expect(await repair(folder)).toMatchObject([{ savedCommits: 2, lostLines: 2, problems: [{ line: 4 }] }]);

  expect(await readAndAdd(folder)).toEqual({ ...full, output: full.output.slice(0, 2), memo: undefined });
});

test("[S6] a sidecar without a header is given one, and keeps its life", async () => {
  using folder = openTemporaryFolder();
  const full = await makeSample(folder);
  flip(folder, sidecar, "spillway");

  expect(await repair(folder)).toMatchObject([{ savedCommits: 4, lostLines: 0 }]);

  expect(await readAndAdd(folder)).toEqual(full);
});

test("[S6] a sidecar of which nothing verifies, or that is another's, is set aside", async () => {
  using folder = openTemporaryFolder();
  const full = await makeSample(folder);
  folder.write("s1.op_2.jsonl", folder.read(sidecar));
  folder.write(sidecar, Buffer.alloc(500));

  expect(await repair(folder)).toMatchObject([
    { savedCommits: 0, lostLines: 0, keptAs: expect.stringMatching(/op_1\.jsonl\.damaged-1$/) },
    { savedCommits: 0, lostLines: 4, keptAs: expect.stringMatching(/op_2\.jsonl\.damaged-1$/) },
  ]);

  expect(await readAndAdd(folder)).toEqual({ ...full, output: [], memo: undefined });
});

test("[S6] damage of a sidecar that is dead is none, and is not repaired", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  const dead = folder.read(sidecar).subarray(0, -200);
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.open("s1");
  await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));
  await session.close();
  folder.write(sidecar, dead);
  flip(folder, sidecar, "one");

  expect(await storage.verify("s1")).toMatchObject({ isSound: true, files: [{}, { isDead: true, state: "damaged" }] });
  expect(await storage.repair("s1")).toEqual([]);
});

test("[S6] a main log of which nothing verifies, or that is another session's, is left alone and the repair refused", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  const storage = createJsonlStorage({ folder: folder.path });
  folder.write("s2.jsonl", folder.read(main));
  folder.write(main, Buffer.alloc(900));
  const before = folder.contents();

  await expect(storage.repair("s1")).rejects.toThrow(/Nothing in .*s1\.jsonl verifies, so nothing can be saved/);
  await expect(storage.repair("s2")).rejects.toThrow(/it is the header of session s1.* give it the name that it had/);
  expect(folder.contents()).toEqual(before);
});

test("[S8] a session that is written is not repaired", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");

  await expect(storage.repair("s1")).rejects.toMatchObject({ code: "session_locked" });
  await session.close();
});

test("[S6] a repair that is interrupted at any change can be done again, and the original is still there", async () => {
  let steps = 1;
  for (let step = 1; step <= steps; step += 1) {
    using folder = openTemporaryFolder();
    const full = await makeSample(folder);
    flip(folder, main, "two");
    const damaged = folder.read(main);
    let count = 0;
    const files = hookFiles(() => {
      count += 1;
      if (count >= step) throw systemError("EIO");
    });

    await createJsonlStorage({ folder: folder.path, files })
      .repair("s1")
      .catch(() => undefined);
    if (count >= step) steps += 1;
    await repair(folder);

    const kept = folder.names().filter((name) => name.includes(".damaged-"));
    expect(
      kept.some((name) => folder.read(name).equals(damaged)),
      `interrupted at ${step}`,
    ).toBe(true);
    expect((await readAndAdd(folder)).entries).toHaveLength(full.entries.length - 1);
  }
  expect(steps).toBeGreaterThan(8);
});

function repair(folder: TemporaryFolder): Promise<readonly RepairedFile[]> {
  return createJsonlStorage({ folder: folder.path }).repair("s1");
}

/** What the session holds; both of its files take a commit more. */
async function readAndAdd(folder: TemporaryFolder): Promise<Sample> {
  const session = await createJsonlStorage({ folder: folder.path }).open("s1");
  const sample = await readSample(session);
  await addEntry(session, "added");
  await addOutput(session, "added");
  await session.close();
  return sample;
}

async function lastSequence(folder: TemporaryFolder): Promise<number> {
  const session = await createJsonlStorage({ folder: folder.path }).open("s1");
  await addEntry(session, "numbered");
  const { sequence } = await session.commit(scope, (transaction) =>
    transaction.clear({ kind: "list", scope, key: "k" }),
  );
  await session.close();
  return sequence ?? 0;
}

function flip(folder: TemporaryFolder, file: string, text: string): void {
  const bytes = folder.read(file);
  const place = bytes.indexOf(text);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  folder.write(file, bytes);
}

function linesOf(folder: TemporaryFolder, file: string): string[] {
  return folder
    .read(file)
    .toString("latin1")
    .split(/(?<=\n)/);
}

function lengthOf(lines: readonly string[]): number {
  return lines.join("").length;
}
