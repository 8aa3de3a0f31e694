import { expect, test } from "vitest";
import { listAddress, sessionScope } from "../address.js";
import type { Storage } from "../contract.js";
import { hookFiles, makeGate } from "./fixtures/hooked-files.js";
import type { FileCall } from "./fixtures/hooked-files.js";
import { makeManualTimers } from "./fixtures/manual-timers.js";
import { addEntry, addOutput, entries, memo, output, readSample, scope } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

const interval = { sync: "interval" } as const;

test("[S5] commits that wait share one write and one sync", async () => {
  using folder = openTemporaryFolder();
  const { storage, calls } = watch(folder.path);
  const session = await storage.create("s1");
  calls.length = 0;

  await Promise.all(Array.from({ length: 512 }, (_, index) => addEntry(session, `entry ${index}`)));

  expect(calls.map(({ name, file }) => `${name} ${file}`)).toEqual(["write s1.jsonl", "sync s1.jsonl"]);
  expect((await session.readList(entries, { limit: 1_000 })).elements).toHaveLength(512);
  expect(countLines(folder.read("s1.jsonl"))).toBe(2 + 512);
  await session.close();
});

test("[S5] a round ends by the bytes of its lines, also where they hold no text", async () => {
  using folder = openTemporaryFolder();
  const { storage, calls } = watch(folder.path);
  const session = await storage.create("s1");
  const list = listAddress<number>(sessionScope, "k".repeat(256));
  // Lines of more than 8 MiB, which is what one round takes.
  const clear = (): Promise<unknown> =>
    session.commit(sessionScope, (transaction) => {
      for (let count = 0; count < 25_000; count += 1) transaction.clear(list);
    });
  calls.length = 0;

  await Promise.all([clear(), clear(), clear()]);

  // The log is rewritten between them, since nothing in it is alive.
  expect(calls.filter(({ name, file }) => name === "write" && file === "s1.jsonl")).toHaveLength(3);
  await session.close();
});

test("[S5] a commit is acknowledged after its sync and readable from then on", async () => {
  using folder = openTemporaryFolder();
  const gate = makeGate();
  const reached = makeGate();
  let isHeld = false;
  const files = hookFiles(({ name }) => {
    if (name !== "sync" || !isHeld) return undefined;
    reached.open();
    return gate.opened;
  });
  const session = await createJsonlStorage({ folder: folder.path, files }).create("s1");
  isHeld = true;
  let isAcknowledged = false;
  const commit = addEntry(session, "one").then(() => (isAcknowledged = true));
  await reached.opened;

  expect((await readSample(session)).entries).toEqual([]);
  expect(isAcknowledged).toBe(false);
  gate.open();
  await commit;
  expect((await readSample(session)).entries).toEqual(["one"]);
  await session.close();
});

test("[S5] what comes while a round is written is the next round", async () => {
  using folder = openTemporaryFolder();
  const { storage, calls } = watch(folder.path);
  const session = await storage.create("s1");
  calls.length = 0;

  const first = addEntry(session, "a");
  const later = new Promise((resolve) => {
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => resolve(addMore()))));
  });
  const addMore = (): Promise<unknown> => Promise.all(["b", "c", "d"].map((text) => addEntry(session, text)));
  await Promise.all([first, later]);

  expect(calls.filter(({ name }) => name === "sync")).toHaveLength(2);
  await session.close();
});

test("[S5] a new sidecar is synced, gets its name, and waits for its folder's sync", async () => {
  using folder = openTemporaryFolder();
  const { storage, calls } = watch(folder.path);
  const session = await storage.create("s1");
  calls.length = 0;

  await addOutput(session, "one");

  expect(calls.map(({ name, file }) => `${name} ${file}`).filter((call) => !call.startsWith("write"))).toEqual([
    "create s1.op_1.jsonl.new",
    "sync s1.op_1.jsonl.new",
    "rename s1.op_1.jsonl",
    expect.stringMatching(/^syncFolder /),
  ]);
  await session.close();
});

test("[S5] an interval commit is acknowledged when written, and synced within the interval", async () => {
  using folder = openTemporaryFolder();
  const timers = makeManualTimers();
  const { storage, calls, synced } = watch(folder.path, timers);
  const session = await storage.create("s1");
  await addOutput(session, "first");
  calls.length = 0;

  await session.commit(scope, (transaction) => transaction.append(output, "second"), interval);
  await session.commit(scope, (transaction) => transaction.append(output, "third"), interval);
  expect(calls.map(({ name }) => name)).toEqual(["write", "write"]);
  timers.advance(999);
  expect(timers.waiting).toBe(1);
  timers.advance(1);
  await synced("s1.op_1.jsonl");

  expect(calls.map(({ name }) => name)).toEqual(["write", "write", "sync"]);
  expect(timers.waiting).toBe(0);
  await session.close();
});

test("[S5] a commit that is synced takes along what waits in its file", async () => {
  using folder = openTemporaryFolder();
  const timers = makeManualTimers();
  const { storage, calls } = watch(folder.path, timers);
  const session = await storage.create("s1");
  await addOutput(session, "first");
  await session.commit(scope, (transaction) => transaction.append(output, "second"), interval);
  calls.length = 0;

  await session.commit(scope, (transaction) => transaction.set(memo, 1));
  await session.close();

  expect(calls.map(({ name }) => name)).toEqual(["write", "sync"]);
});

test("[S5] closing syncs what waits", async () => {
  using folder = openTemporaryFolder();
  const timers = makeManualTimers();
  const { storage, calls } = watch(folder.path, timers);
  const session = await storage.create("s1");
  await addOutput(session, "first");
  await session.commit(scope, (transaction) => transaction.append(output, "second"), interval);
  calls.length = 0;

  await session.close();

  expect(calls.map(({ name, file }) => `${name} ${file}`)).toEqual(["sync s1.op_1.jsonl"]);
  expect(timers.waiting).toBe(0);
});

test("[S5] the session scope is synced whatever the commit asks for", async () => {
  using folder = openTemporaryFolder();
  const { storage, calls } = watch(folder.path);
  const session = await storage.create("s1");
  calls.length = 0;

  await session.commit({ kind: "session" }, (transaction) => transaction.append(entries, "one"), interval);

  expect(calls.map(({ name }) => name)).toEqual(["write", "sync"]);
  await session.close();
});

interface Watched {
  readonly storage: Storage;
  readonly calls: FileCall[];
  /** Resolves when that file's next sync has begun. */
  synced(file: string): Promise<void>;
}

function watch(folder: string, timers = makeManualTimers()): Watched {
  const calls: FileCall[] = [];
  const waiting = new Map<string, () => void>();
  const files = hookFiles((call) => {
    calls.push(call);
    if (call.name === "sync") waiting.get(call.file)?.();
  });
  return {
    storage: createJsonlStorage({ folder, files, timers }),
    calls,
    synced: (file) => new Promise((resolve) => waiting.set(file, resolve)),
  };
}

function countLines(bytes: Buffer): number {
  return bytes.filter((byte) => byte === 0x0a).length;
}
