import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionScope } from "../address.js";
import { hookFiles, systemError } from "./fixtures/hooked-files.js";
import type { FileCall, FileHook } from "./fixtures/hooked-files.js";
import { addEntry, addOutput, readSample, scope } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

test("[S2] an opening syncs its epoch before it changes any file but the main log", async () => {
  using folder = openTemporaryFolder();
  await layOutTroubled(folder);
  const calls: FileCall[] = [];

  await (await open(folder, (call) => void calls.push(call))).close();

  const made = calls.map(({ name, file }) => `${name} ${file}`);
  const claimed = made.lastIndexOf("sync s1.jsonl");
  // Of names that the one before may have left unsynced, and of the torn tail's copy.
  expect(made.slice(0, claimed).filter((call) => !/ s1\.jsonl(\.cut-2)?$/.test(call))).toEqual([
    expect.stringMatching(/^syncFolder /),
    expect.stringMatching(/^syncFolder /),
  ]);
  expect(made.slice(claimed - 1, claimed)).toEqual(["write s1.jsonl"]);
  expect(made.slice(claimed + 1)).toContain("truncate s1.op_1.jsonl");
  expect(made.slice(claimed + 1)).toContain("unlink s1.op_2.jsonl");
});

test("[S2] an opening that fails at any step loses nothing, and the next one ends what it began", async () => {
  let steps = 1;
  for (let step = 1; step <= steps; step += 1) {
    using folder = openTemporaryFolder();
    const expected = await layOutTroubled(folder);
    let count = 0;
    const fail: FileHook = () => {
      count += 1;
      if (count >= step) throw systemError("EIO");
    };

    await open(folder, fail)
      .then((session) => session.close())
      .catch(() => undefined);
    const session = await open(folder);

    expect(await readSample(session), `failed at step ${step}`).toEqual(expected);
    await session.close();
    expect(folder.names().filter((name) => !name.includes(".cut-"))).toEqual(["s1.jsonl", "s1.op_1.jsonl"]);
    const kept = folder.names().filter((name) => name.includes(".cut-"));
    expect(kept.map((name) => folder.read(name).toString())).toEqual(
      expect.arrayContaining(["torn main", "torn sidecar"]),
    );
    if (count >= step) steps += 1;
  }
  expect(steps).toBeGreaterThan(10);
});

test("[S2] numbers rise over openings, also where none of them wrote anything", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  await (await storage.create("s1")).close();
  await (await storage.open("s1")).close();
  const session = await storage.open("s1");

  const { sequence } = await session.commit(scope, (transaction) =>
    transaction.set({ kind: "value", scope, key: "k" }, 1),
  );

  expect(sequence).toBe(3 * 2 ** 32 + 1);
  await session.close();
});

test("[S2] a main log that lost its last openings is not behind its sidecars", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const first = await storage.create("s1");
  await addEntry(first, "one");
  await first.close();
  const old = folder.read("s1.jsonl");
  const second = await storage.open("s1");
  await addOutput(second, "out");
  await second.close();
  folder.write("s1.jsonl", old);

  const session = await storage.open("s1");
  const { sequence } = await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));

  expect(sequence).toBe(3 * 2 ** 32 + 1);
  expect(await session.liveScopes()).toEqual([]);
  await session.close();
});

/** A session with torn tails, a sidecar that is dead, and one that was being made. */
async function layOutTroubled(folder: TemporaryFolder): Promise<Sample> {
  const session = await createJsonlStorage({ folder: folder.path }).create("s1");
  await addEntry(session, "one");
  await addOutput(session, "out");
  const sample = await readSample(session);
  const dead = { kind: "ephemeral", id: "op_2" } as const;
  await session.commit(dead, (transaction) => transaction.append({ kind: "list", scope: dead, key: "k" }, 1));
  const sidecar = folder.read("s1.op_2.jsonl");
  await session.commit(sessionScope, (transaction) => transaction.retireScope(dead));
  await session.close();
  folder.write("s1.op_2.jsonl", sidecar);
  folder.write("s1.op_3.jsonl.new", sidecar);
  appendFileSync(join(folder.path, "s1.jsonl"), "torn main");
  appendFileSync(join(folder.path, "s1.op_1.jsonl"), "torn sidecar");
  return sample;
}

function open(
  folder: TemporaryFolder,
  hook: FileHook = () => undefined,
): ReturnType<ReturnType<typeof createJsonlStorage>["open"]> {
  return createJsonlStorage({ folder: folder.path, files: hookFiles(hook) }).open("s1");
}

test("[S6] once a session was opened again, damage to its last commit is no torn tail any more", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  await addEntry(session, "acknowledged");
  await session.close();
  await (await storage.open("s1")).close();
  const bytes = folder.read("s1.jsonl");
  bytes[bytes.indexOf("acknowledged")] = 0;
  folder.write("s1.jsonl", bytes);

  await expect(storage.open("s1")).rejects.toMatchObject({ code: "damaged" });
});
