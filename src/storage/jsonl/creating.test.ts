import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionScope } from "../address.js";
import { hookFiles, makeGate, systemError } from "./fixtures/hooked-files.js";
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

test("[S8] a lock that was made for nothing does not stay", async () => {
  using folder = openTemporaryFolder();
  let hook: FileHook = ({ name }) => {
    if (name === "write") throw systemError("ENOSPC");
  };
  const storage = createJsonlStorage({ folder: folder.path, files: hookFiles((call) => hook(call)) });

  await expect(storage.create("s1")).rejects.toMatchObject({ code: "io_failed" });
  await expect(storage.open("s2")).rejects.toMatchObject({ code: "session_unknown" });
  expect(readdirSync(folder.path)).toEqual([]);

  folder.write("killed.lock", Buffer.from("1234567890\n"));
  hook = () => undefined;
  await (await storage.create("s1")).close();
  expect(readdirSync(folder.path).sort()).toEqual(["s1.jsonl", "s1.lock"]);

  folder.write("s1.jsonl", Buffer.alloc(0));
  await expect(storage.open("s1")).rejects.toMatchObject({ code: "damaged" });
  expect(readdirSync(folder.path)).toEqual(["s1.jsonl"]);
});

test("[S8] an opening that waits for a lock whose session is not made gets the next one", async () => {
  using folder = openTemporaryFolder();
  const gate = makeGate();
  const hook: FileHook = async ({ name }) => {
    if (name !== "write") return;
    await gate.opened;
    throw systemError("ENOSPC");
  };
  const failing = createJsonlStorage({ folder: folder.path, files: hookFiles(hook) });
  const storage = createJsonlStorage({ folder: folder.path });
  const failed = failing.create("s1");
  await expect.poll(() => readdirSync(folder.path)).toContain("s1.jsonl.new");

  await expect(storage.create("s1")).rejects.toMatchObject({ code: "session_locked" });
  gate.open();
  await expect(failed).rejects.toMatchObject({ code: "io_failed" });
  const session = await storage.create("s1");

  await expect(storage.open("s1")).rejects.toMatchObject({ code: "session_locked" });
  await session.close();
});

test("[S8] a session is made although another's making sweeps the lock that was just made for it", async () => {
  using folder = openTemporaryFolder();
  const [reached, gate] = [makeGate(), makeGate()];
  const hook: FileHook = ({ name, file }) => {
    if (name !== "unlink" || file !== "s1.lock") return undefined;
    reached.open();
    return gate.opened;
  };
  // Made by the one process, which is about to lock it, and found by the other.
  folder.write("s1.lock", Buffer.from(`${process.pid}\n`));
  const sweeping = createJsonlStorage({ folder: folder.path, files: hookFiles(hook) }).create("s2");
  await reached.opened;

  const making = createJsonlStorage({ folder: folder.path }).create("s1");
  // Takes longer than the first try of the making.
  for (let count = 0; count < 5; count += 1) await kernelLocks.acquire(join(folder.path, "s1.lock"), "sweep");
  gate.open();

  await (await making).close();
  await (await sweeping).close();
  expect(folder.names()).toEqual(["s1.jsonl", "s2.jsonl"]);
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
