import { describe, expect, test } from "vitest";
import { ephemeralScope, listAddress, sessionScope } from "../address.js";
import type { SessionStorage } from "../contract.js";
import { createFaulty, Faults } from "./fixtures/faulty-session.js";
import { hookFiles, systemError } from "./fixtures/hooked-files.js";
import type { FileCall } from "./fixtures/hooked-files.js";
import { addEntry, addOutput, entries, readReopened, readSample, scope, title } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { watchReads } from "./fixtures/watched-reads.js";
import { createJsonlStorage } from "./jsonl-storage.js";

test("[S5] a compacted main log is shorter and holds the same, with the same sequences and tags", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  const notes = listAddress<string>(sessionScope, "notes");
  await session.commit(sessionScope, (transaction) => {
    transaction.append(notes, "é\u2028", { tag: "base" });
    transaction.append(notes, "two");
  });
  await setTitles(session, 10);
  await addEntry(session, "last");
  const state = async (opened: SessionStorage): Promise<unknown> => [
    await opened.readList(notes),
    await opened.readList(entries),
    await opened.readValue(title),
    await opened.listKeys(sessionScope),
  ];
  const before = await state(session);
  await session.close();

  const { bytesBefore, bytesAfter } = await storage.compact("s1");

  expect(bytesAfter).toBe(folder.read("s1.jsonl").length);
  expect(bytesAfter).toBeLessThan(bytesBefore / 4);
  const again = await storage.open("s1");
  expect(await state(again)).toEqual(before);
  await addEntry(again, "after");
  await again.close();
  expect((await readReopened(folder)).entries.slice(-2)).toEqual(["last", "after"]);
});

test("[S5] a session whose main log is mostly dead compacts it by itself, and its readers see no difference", async () => {
  using folder = openTemporaryFolder();
  const session = await createJsonlStorage({ folder: folder.path, minMainDeadBytes: 5_000 }).create("s1");
  const reader = await createJsonlStorage({ folder: folder.path }).read("s1");
  let longest = 0;

  for (let round = 0; round < 100; round += 1) {
    await addEntry(session, `entry ${round}`);
    await setTitles(session, 1, round);
    longest = Math.max(longest, (await session.usage()).mainBytes);
    expect(await readSample(reader)).toEqual(await readSample(session));
  }

  expect(longest).toBeLessThan(2 * 100 * (256 + 20) + 3 * 5_000);
  expect((await readSample(session)).entries).toHaveLength(100);
  await reader.close();
  await session.close();
  expect((await readReopened(folder)).entries).toHaveLength(100);
});

test("[S2] no number is used again after a compaction that left out the newest ones", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  await setTitles(session, 3);
  const { sequence: last = 0 } = await session.commit(sessionScope, (transaction) => transaction.delete(title));
  await session.close();

  await storage.compact("s1");
  await storage.compact("s1");
  const again = await storage.open("s1");
  const { sequence } = await again.commit(sessionScope, (transaction) => transaction.append(entries, "next"));

  // Created, compacted twice, opened: the fourth epoch.
  expect(Math.floor((sequence ?? 0) / 2 ** 32)).toBe(4);
  expect(sequence).toBeGreaterThan(last);
  await again.close();
});

test("[S3] a retirement is kept as long as the file that it ended is there", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  await addOutput(session, "old");
  const sidecar = folder.read("s1.op_1.jsonl");
  await session.commit(sessionScope, (transaction) => {
    transaction.append(entries, "settled");
    transaction.retireScope(scope);
    transaction.retireScope(ephemeralScope("op_gone"));
  });
  await session.close();
  folder.write("s1.op_1.jsonl", sidecar);
  const blocked = createJsonlStorage({
    folder: folder.path,
    files: hookFiles(({ name }) => {
      if (name === "unlink") throw systemError("EPERM");
    }),
  });

  await blocked.compact("s1");

  expect(folder.read("s1.jsonl").toString()).toContain('["append","entries",9],["retire","op_1"]]');
  expect(folder.read("s1.jsonl").includes("op_gone")).toBe(false);
  expect(await readReopened(folder)).toMatchObject({ entries: ["settled"], output: [] });
});

test("[S11] a fork at a place before which something was left out is refused, and one behind it is whole", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  const first = await session.commit(sessionScope, (transaction) => transaction.set(title, "first"));
  const second = await session.commit(sessionScope, (transaction) => transaction.set(title, "second"));
  await addEntry(session, "one");
  const third = await session.commit(sessionScope, (transaction) => transaction.append(entries, "two"));
  await addEntry(session, "three");
  await session.close();
  await storage.compact("s1");
  const again = await storage.open("s1");

  await expect(again.fork("s2", { upTo: first.sequence })).rejects.toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining(`what had died by sequence ${second.sequence} is gone. Fork it there or later.`),
  });
  const fork = await again.fork("s2", { upTo: third.sequence });

  expect(await readSample(fork)).toMatchObject({ entries: ["one", "two"], title: "second" });
  await expect(fork.fork("s3", { upTo: first.sequence })).rejects.toMatchObject({ code: "invalid_argument" });
  await fork.close();
  await again.close();
});

describe("a compaction that fails", () => {
  test.each<FileCall["name"]>(["create", "write", "rename"])(
    "[S7] at its %s changes nothing, says so, and can be done later",
    async (name) => {
      using folder = openTemporaryFolder();
      const faults = new Faults();
      const session = await createFaulty(folder, faults, { minMainDeadBytes: 5_000 });
      faults.hook = (call) => {
        if (call.name === name && (name === "rename" || call.file.endsWith(".new"))) throw systemError("ENOSPC");
      };

      await setTitles(session, 12);
      const { mainBytes } = await session.usage();

      expect(faults.diagnostics.map(({ kind }) => kind)).toContain("rewrite_failed");
      expect(folder.names()).toEqual(["s1.jsonl"]);
      faults.heal();
      await setTitles(session, 12, 12);
      await addEntry(session, "after");
      expect((await session.usage()).mainBytes).toBeLessThan(mainBytes);
      await session.close();
      expect(await readReopened(folder)).toMatchObject({ entries: ["after"], title: expect.stringMatching(/^23 /) });
    },
  );

  test.each<FileCall["name"]>(["sync", "syncFolder"])(
    "[S7] at its %s closes the session for writing, and nothing acknowledged is missing",
    async (name) => {
      using folder = openTemporaryFolder();
      const faults = new Faults();
      const session = await createFaulty(folder, faults, { minMainDeadBytes: 5_000 });
      faults.hook = (call) => {
        if (call.name === name && (name === "syncFolder" || call.file.endsWith(".new"))) throw systemError("EIO");
      };

      const acknowledged = await setTitles(session, 12).catch((error: unknown) => error);

      expect(acknowledged).toMatchObject({ code: "read_only" });
      expect(faults.diagnostics.map(({ kind }) => kind)).toEqual(["sync_failed"]);
      const seen = await readSample(session);
      faults.heal();
      await session.close();
      expect(await readReopened(folder)).toEqual(seen);
    },
  );
});

test("[S2] a reading beside a compaction never joins a scope with the main log that has forgotten its end", async () => {
  let steps = 1;
  for (let step = 1; step <= steps; step += 1) {
    using folder = openTemporaryFolder();
    const writer = await createJsonlStorage({ folder: folder.path, minMainDeadBytes: 2_000 }).create("s1");
    await setTitles(writer, 1);
    await addOutput(writer, "out");
    const before = await writer.usage();
    const settleAndCompact = async (): Promise<void> => {
      await writer.commit(sessionScope, (transaction) => transaction.retireScope(scope));
      await setTitles(writer, 10);
    };
    const watch = watchReads();
    const reader = await createJsonlStorage({ folder: folder.path, files: watch.files }).read("s1");
    watch.before(step, settleAndCompact);

    const seen = await reader.usage();
    if (watch.isDone) steps += 1;
    else await settleAndCompact();

    expect(seen.sidecarBytes > 0, `compacted before step ${step}`).toBe(seen.mainBytes === before.mainBytes);
    expect(folder.read("s1.jsonl").includes("retire"), "the retirement was left out").toBe(false);
    await reader.close();
    await writer.close();
  }
  expect(steps).toBeGreaterThan(5);
});

/** Each makes the one before dead. */
async function setTitles(session: SessionStorage, count: number, from = 0): Promise<void> {
  for (let place = from; place < from + count; place += 1) {
    await session.commit(sessionScope, (transaction) => transaction.set(title, `${place} ${"x".repeat(1_000)}`));
  }
}
