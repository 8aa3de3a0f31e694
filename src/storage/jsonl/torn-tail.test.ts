import { describe, expect, test } from "vitest";
import type { StorageDiagnostic } from "./diagnostics.js";
import { addEntry, addOutput, fillSample, readSample } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { PowerCutDisk } from "./fixtures/power-cut.js";
import { stageOn } from "./fixtures/scripted-life.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { unsyncedFiles } from "./fixtures/unsynced-files.js";
import { createJsonlStorage } from "./jsonl-storage.js";

const files = ["s1.jsonl", "s1.op_1.jsonl"];

test.each(files)(
  "[S6] %s cut at any byte of it is the session as it was after the lines that are left (O27)",
  async (file) => {
    const disk = new PowerCutDisk();
    const session = await stageOn(disk).storage.create("s1");
    const states = new Map<number, Sample>();
    const note = async (): Promise<void> => void states.set(disk.read(file).length, await readSample(session));
    await note();
    for (const text of ["one", "two é", "three 🦊\u2028"]) {
      for (const add of [addEntry, addOutput]) {
        await add(session, text);
        await note();
      }
    }
    await session.close();
    const bytes = disk.read(file);
    const [headerEnd = 0, ...lineEnds] = findLineEnds(bytes);
    const full = states.get(bytes.length);
    const list = file === "s1.jsonl" ? "entries" : "output";

    for (let size = headerEnd; size < bytes.length; size += 1) {
      const cut = disk.reopened();
      cut.put(file, bytes.subarray(0, size));
      const end = [headerEnd, ...lineEnds].findLast((place) => place <= size) ?? 0;
      const { storage, diagnostics } = stageOn(cut);
      const opened = await storage.open("s1");
      const found = await readSample(opened);
      await (list === "entries" ? addEntry : addOutput)(opened, "appended");
      await opened.close();
      const again = await storage.open("s1");

      const expected = full?.[list].slice(0, states.get(end)?.[list].length ?? 0) ?? [];
      expect(found, `cut at ${size}`).toEqual({ ...full, [list]: expected });
      expect((await readSample(again))[list], `cut at ${size}`).toEqual([...expected, "appended"]);
      expect(diagnostics.map(({ kind }) => kind)).toEqual(end === size ? [] : ["tail_cut"]);
      const kept = cut.names().filter((name) => name.includes(".cut-"));
      expect(kept.map((name) => cut.read(name))).toEqual(end === size ? [] : [bytes.subarray(end, size)]);
      await again.close();
    }
    expect(bytes.length - headerEnd).toBeGreaterThan(300);
  },
);

test.each(files)("[S6] %s cut within its header is damage", async (file) => {
  const disk = new PowerCutDisk();
  const session = await stageOn(disk).storage.create("s1");
  await fillSample(session);
  await session.close();
  const [headerEnd = 0] = findLineEnds(disk.read(file));

  for (let size = 0; size < headerEnd; size += 1) {
    const cut = disk.reopened();
    cut.put(file, disk.read(file).subarray(0, size));
    await expect(stageOn(cut).storage.open("s1"), `cut at ${size}`).rejects.toMatchObject({ code: "damaged" });
  }
});

describe.each(files)("%s", (file) => {
  test("[S6] a reader stops before the torn tail and leaves it", async () => {
    using folder = openTemporaryFolder();
    const states = await recordStates(folder, file);
    const bytes = folder.read(file);
    folder.write(file, bytes.subarray(0, bytes.length - 5));
    const before = folder.contents();

    const reader = await createJsonlStorage({ folder: folder.path }).read("s1");

    expect(await readSample(reader)).toEqual(states.get(findLineEnds(bytes).length - 1));
    await reader.close();
    expect(folder.contents()).toEqual(before);
  });

  test("[S6] lines that were reordered by a power cut are tail up to the first that is missing", async () => {
    using folder = openTemporaryFolder();
    const storage = createJsonlStorage({ folder: folder.path });
    const session = await storage.create("s1");
    await addEntry(session, "known");
    await addOutput(session, "known out");
    const add = file === "s1.jsonl" ? addEntry : addOutput;
    await Promise.all(["a", "b", "c"].map((text) => add(session, text)));
    await session.close();
    const bytes = folder.read(file);
    const [, firstEnd = 0, secondEnd = 0] = findLineEnds(bytes).slice(-4);

    bytes.fill(0, firstEnd, secondEnd);
    folder.write(file, bytes);
    const { sample, diagnostics } = await reopenAndAppend(folder, file);

    expect(file === "s1.jsonl" ? sample.entries : sample.output).toEqual(
      file === "s1.jsonl" ? ["known", "a"] : ["known out", "a"],
    );
    expect(diagnostics).toHaveLength(1);
  });
});

test("[S6] a diagnostic names file, line, byte, and where the tail is kept", async () => {
  using folder = openTemporaryFolder();
  await recordStates(folder, "s1.jsonl");
  const bytes = folder.read("s1.jsonl");
  folder.write("s1.jsonl", bytes.subarray(0, bytes.length - 1));

  const { diagnostics } = await reopenAndAppend(folder, "s1.jsonl");

  const lineStart = findLineEnds(bytes).at(-2) ?? 0;
  expect(diagnostics[0]?.message).toContain(`s1.jsonl, line 6 (byte ${lineStart}): it has no end.`);
  expect(diagnostics[0]?.message).toContain("s1.jsonl.cut-2");
});

/** The sample session, and what it held after each line of one of its files. */
async function recordStates(folder: TemporaryFolder, file: string): Promise<Map<number, Sample>> {
  const session = await createJsonlStorage({ folder: folder.path }).create("s1");
  await fillSample(session);
  const full = await readSample(session);
  await session.close();
  const last = (count: number): Sample =>
    file === "s1.jsonl"
      ? { ...full, entries: full.entries.slice(0, 4 - count), title: undefined }
      : { ...full, output: full.output.slice(0, 4 - count), memo: undefined };
  const lines = findLineEnds(folder.read(file)).length;
  return new Map([
    [lines, full],
    [lines - 1, last(1)],
    [lines - 2, last(2)],
  ]);
}

/** Opens, reads, appends to that file, and opens again: what was appended must be there behind what was read. */
async function reopenAndAppend(
  folder: TemporaryFolder,
  file: string,
): Promise<{ readonly sample: Sample; readonly diagnostics: StorageDiagnostic[] }> {
  const diagnostics: StorageDiagnostic[] = [];
  const storage = createJsonlStorage({
    folder: folder.path,
    files: unsyncedFiles,
    onDiagnostic: (found) => diagnostics.push(found),
  });
  const session = await storage.open("s1");
  const sample = await readSample(session);
  await (file === "s1.jsonl" ? addEntry : addOutput)(session, "appended");
  await session.close();
  const again = await storage.open("s1");
  const added = await readSample(again);
  await again.close();
  expect(file === "s1.jsonl" ? added.entries : added.output).toEqual([
    ...(file === "s1.jsonl" ? sample.entries : sample.output),
    "appended",
  ]);
  return { sample, diagnostics };
}

function findLineEnds(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let place = bytes.indexOf("\n"); place >= 0; place = bytes.indexOf("\n", place + 1)) ends.push(place + 1);
  return ends;
}
