import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ephemeralScope, sessionScope } from "../address.js";
import { addEntry, addOutput, fillSample, output, scope } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

const hostileIds = [
  "",
  ".",
  "..",
  "../s2",
  "a/b",
  "/tmp/a",
  "a\0b",
  "a.b",
  "S1",
  "é",
  "a\n",
  " a",
  "a".repeat(65),
  "%2e%2e",
];

const HANG_LIMIT_MS = 30_000;
const others: Record<string, (path: string) => unknown> = {
  "a named pipe": (path) => execFileSync("mkfifo", [path]),
  "a folder": (path) => mkdirSync(path),
  "a symbolic link": (path) => symlinkSync("nowhere", path),
};

test("[S9] with no umask at all, files are for their user alone, in folders that are", async () => {
  using folder = openTemporaryFolder();
  const state = join(folder.path, "state");
  const sessions = join(state, "sessions");
  const umask = process.umask(0);
  try {
    const storage = createJsonlStorage({ folder: sessions, outputCapBytes: 100 });
    const session = await storage.create("s1");
    await fillSample(session);
    await session.commit(scope, (transaction) => transaction.append(output, "x".repeat(2_000)));
    await session.commit(scope, (transaction) => transaction.append(output, "base", { supersedes: true }));
    await (await session.fork("s2")).close();
    await session.close();
    writeFileSync(join(sessions, "s1.jsonl"), "torn", { flag: "a" });
    writeFileSync(join(sessions, "s1.op_1.jsonl"), "torn", { flag: "a" });
    await (await storage.open("s1")).close();
  } finally {
    process.umask(umask);
  }

  const modes = Object.fromEntries(readdirSync(sessions).map((name) => [name, modeOf(join(sessions, name))]));
  expect(modes).toEqual({
    "s1.jsonl": "600",
    "s1.jsonl.cut-2": "600",
    "s1.lock": "600",
    "s1.op_1.jsonl": "600",
    "s1.op_1.jsonl.cut-2": "600",
    "s2.jsonl": "600",
    "s2.lock": "600",
  });
  expect([modeOf(state), modeOf(sessions)]).toEqual(["700", "700"]);
});

test.each(hostileIds)("[S9] the session id %j is refused by every call, and nothing is made", async (id) => {
  using folder = openTemporaryFolder();
  const storage = createJsonlStorage({ folder: join(folder.path, "sessions") });
  const session = await storage.create("s1");
  const before = listAll(folder.path);

  for (const call of [storage.create(id), storage.open(id), storage.read(id), storage.remove(id), session.fork(id)]) {
    await expect(call).rejects.toMatchObject({ code: "invalid_argument" });
  }

  expect(listAll(folder.path)).toEqual(before);
  await session.close();
});

test.each(hostileIds)("[S9] the scope id %j is refused by every call, and nothing is made", async (id) => {
  using folder = openTemporaryFolder();
  const session = await createJsonlStorage({ folder: join(folder.path, "sessions") }).create("s1");
  const before = listAll(folder.path);
  const hostile = ephemeralScope(id);
  const address = { kind: "list", scope: hostile, key: "k" } as const;

  for (const call of [
    session.commit(hostile, (transaction) => transaction.append(address, 1)),
    session.commit(sessionScope, (transaction) => transaction.retireScope(hostile)),
    session.readList(address),
    session.listKeys(hostile),
  ]) {
    await expect(call).rejects.toMatchObject({ code: "invalid_argument" });
  }

  expect(listAll(folder.path)).toEqual(before);
  await session.close();
});

test("[S9] links at the names of a session's files are not followed", async () => {
  using folder = openTemporaryFolder();
  const outside = join(folder.path, "outside");
  writeFileSync(outside, "precious");
  const sessions = join(folder.path, "sessions");
  mkdirSync(sessions, { mode: 0o700 });
  const storage = createJsonlStorage({ folder: sessions });
  const session = await storage.create("s1");
  await addEntry(session, "one");
  for (const name of ["s1.op_1.jsonl", "s1.op_1.jsonl.new", "s2.lock", "s3.jsonl", "s4.jsonl.new"]) {
    symlinkSync(outside, join(sessions, name));
  }

  await addOutput(session, "mine");
  await expect(storage.create("s2")).rejects.toMatchObject({ code: "io_failed" });
  await expect(storage.open("s3")).rejects.toMatchObject({ code: "io_failed" });
  await expect(storage.read("s3")).rejects.toMatchObject({ code: "io_failed" });
  await (await storage.create("s4")).close();
  await session.close();

  expect(folder.read("outside").toString()).toBe("precious");
  expect(lstatSync(join(sessions, "s1.op_1.jsonl")).isSymbolicLink()).toBe(false);
});

test.each(["s1.jsonl", "s1.op_1.jsonl", "s1.lock"])(
  "[S9] a named pipe, a folder or a link at %s is refused in words, at once, and left alone",
  async (name) => {
    for (const [kind, make] of Object.entries(others)) {
      using folder = openTemporaryFolder();
      const storage = createJsonlStorage({ folder: folder.path });
      const session = await storage.create("s1");
      await fillSample(session);
      await session.close();
      rmSync(join(folder.path, name));
      await make(join(folder.path, name));

      const refusal = { code: "io_failed", message: expect.stringContaining(`${name} is ${kind}, where only a file`) };
      await expect(storage.open("s1")).rejects.toMatchObject(refusal);
      const read = await storage.read("s1").then(
        (reader) => reader.close().then(() => "read"),
        (error: unknown) => String(error),
      );
      expect(read).toContain(name === "s1.lock" ? "read" : `${name} is ${kind}, where only a file`);
      await expect(storage.list()).resolves.toEqual(["s1"]);
      await (await storage.create("s2")).close();

      expect(lstatSync(join(folder.path, name)).isFile()).toBe(false);
    }
  },
  HANG_LIMIT_MS,
);

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}

function listAll(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}
