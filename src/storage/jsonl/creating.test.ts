import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionScope } from "../address.js";
import { hookFiles, systemError } from "./fixtures/hooked-files.js";
import type { FileHook } from "./fixtures/hooked-files.js";
import { addEntry, addOutput, entries, readSample } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";
import { kernelLocks } from "./session-lock.js";

test("[S9] a session that was being made when its process ended never was, and is swept by the next that is made", async () => {
  using folder = openTemporaryFolder();
  folder.write("half.jsonl.new", Buffer.from('{"spillway":'));
  folder.write("living.jsonl.new", Buffer.from('{"spillway":'));
  const living = await kernelLocks.acquire(join(folder.path, "living.lock"));
  const storage = createJsonlStorage({ folder: folder.path });

  expect(await storage.list()).toEqual([]);
  await expect(storage.open("half")).rejects.toMatchObject({ code: "session_unknown" });
  await (await storage.create("s1")).close();

  expect(folder.names()).toEqual(["living.jsonl.new", "s1.jsonl"]);
  if (living.isHeld) await living.release();
});

test("[S9] what lost its main log is not taken for a new session", async () => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: folder.path });
  const session = await storage.create("s1");
  await addOutput(session, "out");
  await session.close();
  const { "s1.op_1.jsonl": sidecar = "" } = folder.contents();
  folder.restore({ "s1.op_1.jsonl": sidecar });

  await expect(storage.create("s1")).rejects.toThrow(/lost its main log, but other files of it lie in/);

  expect(folder.contents()).toEqual({ "s1.op_1.jsonl": sidecar });
});

test("[S11] a fork that fails at any step leaves no session, and the original as it was", async () => {
  let steps = 1;
  for (let step = 1; step <= steps; step += 1) {
    using folder = openTemporaryFolder();
    let hook: FileHook = () => undefined;
    const storage = createJsonlStorage({ folder: folder.path, files: hookFiles((call) => hook(call)) });
    const session = await storage.create("s1");
    await addEntry(session, "one");
    await addOutput(session, "out");
    const before = folder.contents();
    let count = 0;
    hook = ({ file }) => {
      count += file.startsWith("s2") ? 1 : 0;
      if (file.startsWith("s2") && count >= step) throw systemError("EIO");
    };

    const forked = await session.fork("s2").catch(() => undefined);

    hook = () => undefined;
    await forked?.close();
    const isMade = (await storage.list()).includes("s2");
    const fork = isMade ? await storage.open("s2") : await session.fork("s2");
    expect(await readSample(fork), `failed at step ${step}`).toMatchObject({ entries: ["one"], output: [] });
    expect(await fork.liveScopes()).toEqual([]);
    await fork.close();
    expect(folder.contents()).toMatchObject(before);
    await addEntry(session, "two");
    await session.close();
    if (count >= step) steps += 1;
  }
  expect(steps).toBeGreaterThan(4);
});

test("[S11] a fork copies no commit that comes while it is made", async () => {
  using folder = openTemporaryFolder();
  const session = await createJsonlStorage({ folder: folder.path }).create("s1");
  await addEntry(session, "one");

  const forking = session.fork("s2");
  const later = session.commit(sessionScope, (transaction) => transaction.append(entries, "later"));
  const fork = await forking;
  await later;

  expect((await readSample(fork)).entries).toEqual(["one"]);
  expect((await readSample(session)).entries).toEqual(["one", "later"]);
  await fork.close();
  await session.close();
});
