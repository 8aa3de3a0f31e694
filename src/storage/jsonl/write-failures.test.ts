import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createFaulty, Faults } from "./fixtures/faulty-session.js";
import { makeGate, systemError } from "./fixtures/hooked-files.js";
import { addEntry, addOutput, entries, output, readReopened, readSample, scope } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";
import { sessionScope } from "../address.js";

describe("a full disk", () => {
  test("[S7] a write that fails is told at once and leaves nothing; when space is there again commits go on", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addEntry(session, "kept");
    const before = folder.read("s1.jsonl");

    faults.hook = ({ name }) => (name === "write" ? fail("ENOSPC") : undefined);
    await expect(addEntry(session, "lost")).rejects.toMatchObject({ code: "write_failed" });
    await expect(addEntry(session, "lost too")).rejects.toThrow(/s1\.jsonl could not be written \(ENOSPC/);
    expect(folder.read("s1.jsonl")).toEqual(before);
    faults.heal();
    await addEntry(session, "after");

    expect((await readSample(session)).entries).toEqual(["kept", "after"]);
    await session.close();
    expect((await readReopened(folder)).entries).toEqual(["kept", "after"]);
  });

  test("[S7] a short write is cut back at every length it can have", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addEntry(session, "kept");
    const before = folder.read("s1.jsonl");
    let bytes = 1;

    for (let taken = 0; taken < bytes; taken += 1) {
      faults.hook = (call) => {
        if (call.name !== "write") return undefined;
        bytes = call.bytes;
        return taken;
      };
      const error = await addEntry(session, "lost").catch((error: unknown) => error);
      expect(String(error)).toContain(`only ${taken} of ${bytes} bytes were taken`);
      expect(folder.read("s1.jsonl")).toEqual(before);
    }

    expect(bytes).toBeGreaterThan(100);
    faults.heal();
    await addEntry(session, "after");
    await session.close();
    expect((await readReopened(folder)).entries).toEqual(["kept", "after"]);
  });

  test("[S7] what cannot be cut back at once is cut before the next write", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addEntry(session, "kept");

    faults.hook = ({ name }) => (name === "write" ? 40 : name === "truncate" ? fail("EIO") : undefined);
    await expect(addEntry(session, "lost")).rejects.toMatchObject({ code: "write_failed" });
    await expect(addEntry(session, "lost too")).rejects.toThrow(/a failed write could not be taken back: EIO/);
    faults.heal();
    await addEntry(session, "after");
    await session.close();

    expect((await readReopened(folder)).entries).toEqual(["kept", "after"]);
  });

  test("[S7] a torn write that stays when the process ends is a torn tail", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addEntry(session, "kept");
    faults.hook = ({ name }) => (name === "write" ? 40 : name === "truncate" ? fail("EIO") : undefined);
    await expect(addEntry(session, "lost")).rejects.toMatchObject({ code: "write_failed" });
    await session.close();

    expect((await readReopened(folder)).entries).toEqual(["kept"]);
  });

  test("[S7] a sidecar that cannot be made refuses its commit, and can be made later", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);

    for (const name of ["create", "write", "rename"] as const) {
      faults.hook = (call) => (call.name === name && call.file.includes("op_1") ? fail("ENOSPC") : undefined);
      await expect(addOutput(session, "lost")).rejects.toMatchObject({ code: "write_failed" });
      expect(folder.names()).toEqual(["s1.jsonl"]);
    }
    expect(await session.liveScopes()).toEqual([]);
    faults.heal();
    await addOutput(session, "after");
    await session.close();

    expect((await readReopened(folder)).output).toEqual(["after"]);
  });

  test("[S7] a failure in one file is none of another's", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addOutput(session, "one");
    faults.hook = ({ name, file }) => (name === "write" && file === "s1.op_1.jsonl" ? fail("ENOSPC") : undefined);

    const [inMain, inSidecar] = await Promise.allSettled([addEntry(session, "kept"), addOutput(session, "lost")]);

    expect(inMain.status).toBe("fulfilled");
    expect(inSidecar).toMatchObject({ reason: { code: "write_failed" } });
    await session.close();
  });

  test("[S7] creating a session on a full disk is refused in words, and leaves none", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    faults.hook = ({ name }) => (name === "write" ? fail("ENOSPC") : undefined);
    const storage = createJsonlStorage({ folder: folder.path, files: faults.files });

    await expect(storage.create("s1")).rejects.toMatchObject({ code: "io_failed" });

    expect(await storage.list()).toEqual([]);
    faults.heal();
    await (await storage.create("s1")).close();
  });
});

describe("a failed sync", () => {
  test("[S7] closes the session for writing and leaves it readable", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addEntry(session, "kept");
    faults.hook = ({ name }) => (name === "sync" ? fail("EIO") : undefined);

    await expect(addEntry(session, "unknown")).rejects.toMatchObject({ code: "write_failed" });
    faults.heal();
    await expect(addEntry(session, "refused")).rejects.toMatchObject({ code: "read_only" });
    await expect(addOutput(session, "refused")).rejects.toMatchObject({ code: "read_only" });

    expect((await readSample(session)).entries).toEqual(["kept"]);
    expect(faults.diagnostics.map(({ kind }) => kind)).toEqual(["sync_failed"]);
    await session.close();
    expect((await readReopened(folder)).entries.slice(0, 1)).toEqual(["kept"]);
  });

  test("[S7] is noted, and the next opening writes the files anew, because later syncs of them may lie", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addEntry(session, "kept");
    await addOutput(session, "kept out");
    const identities = (): number[] =>
      ["s1.jsonl", "s1.op_1.jsonl"].map((name) => statSync(join(folder.path, name)).ino);
    const before = identities();
    faults.hook = ({ name }) => (name === "sync" ? fail("EIO") : undefined);
    await expect(addEntry(session, "unknown")).rejects.toMatchObject({ code: "write_failed" });
    faults.heal();
    await session.close();
    expect(folder.names()).toEqual(["s1.jsonl", "s1.jsonl.unsure", "s1.op_1.jsonl"]);

    const found = await readReopened(folder);

    expect(found).toMatchObject({ entries: ["kept", "unknown"], output: ["kept out"] });
    expect(folder.names()).toEqual(["s1.jsonl", "s1.op_1.jsonl"]);
    expect(identities().map((identity, place) => identity === before[place])).toEqual([false, false]);
  });

  test("[S7] and its note go with the session", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    faults.hook = ({ name }) => (name === "sync" ? fail("EIO") : undefined);
    await expect(addEntry(session, "unknown")).rejects.toMatchObject({ code: "write_failed" });
    await session.close();
    expect(folder.names()).toContain("s1.jsonl.unsure");

    await createJsonlStorage({ folder: folder.path }).remove("s1");

    expect(folder.names()).toEqual([]);
  });

  test("[S7] refuses what waits behind it", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addOutput(session, "one");
    faults.hook = ({ name }) => (name === "sync" ? fail("EIO") : undefined);
    const first = addEntry(session, "unknown");
    const second = session
      .commit(sessionScope, (transaction) => transaction.retireScope(scope))
      .then(() => addOutput(session, "new life"));

    const outcomes = await Promise.allSettled([first, second]);

    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await session.close();
  });

  test("[S7] of interval commits is told within one interval and refuses the next commit", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addOutput(session, "one");
    const add = (text: string): Promise<unknown> =>
      session.commit(scope, (transaction) => transaction.append(output, text), { sync: "interval" });
    await add("two");
    const told = faults.next("sync_failed");
    faults.hook = ({ name }) => (name === "sync" ? fail("EIO") : undefined);

    faults.timers.advance(1_000);
    await told;

    await expect(add("three")).rejects.toMatchObject({ code: "read_only" });
    await session.close();
  });

  test("[S7] at closing is the failure of closing, and the lock is free", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addOutput(session, "one");
    await session.commit(scope, (transaction) => transaction.append(output, "two"), { sync: "interval" });
    faults.hook = ({ name }) => (name === "sync" ? fail("EIO") : undefined);

    await expect(session.close()).rejects.toMatchObject({ code: "write_failed" });

    expect((await readReopened(folder)).output).toEqual(["one", "two"]);
  });

  test("[S7] at closing is not tried again on files that are closed by then", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    const [reached, gate] = [makeGate(), makeGate()];
    await addOutput(session, "one");
    await session.commit(scope, (transaction) => transaction.append(output, "two"), { sync: "interval" });
    const syncs: string[] = [];
    faults.hook = async ({ name, file }) => {
      if (name === "write") reached.open();
      if (name === "write") await gate.opened;
      if (name !== "sync" || file === "s1.jsonl") return;
      syncs.push(file);
      fail("EIO");
    };
    const entry = addEntry(session, "entry");
    await reached.opened;

    const closed = session.close();
    await setImmediate();
    faults.timers.advance(1_000);
    gate.open();

    await expect(closed).rejects.toMatchObject({ code: "write_failed" });
    await entry;
    await setImmediate();
    expect(syncs).toEqual(["s1.op_1.jsonl"]);
  });

  test("[S7] of the folder counts like one of the file", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    faults.hook = ({ name }) => (name === "syncFolder" ? fail("EIO") : undefined);

    await expect(addOutput(session, "unknown")).rejects.toMatchObject({ code: "write_failed" });

    await expect(addEntry(session, "refused")).rejects.toMatchObject({ code: "read_only" });
    await session.close();
  });
});

describe("a failed unlink", () => {
  test("[S3] leaves a dead file that the next opening removes", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addOutput(session, "one");
    faults.hook = ({ name }) => (name === "unlink" ? fail("EPERM") : undefined);

    await session.commit(sessionScope, (transaction) => {
      transaction.append(entries, "settled");
      transaction.retireScope(scope);
    });

    expect(await session.liveScopes()).toEqual([]);
    expect(faults.diagnostics.map(({ kind }) => kind)).toEqual(["unlink_failed"]);
    expect(folder.names()).toEqual(["s1.jsonl", "s1.op_1.jsonl"]);
    await session.close();
    expect(await readReopened(folder)).toMatchObject({ entries: ["settled"], output: [] });
    expect(folder.names()).toEqual(["s1.jsonl"]);
  });

  test("[S3] does not mix the next life with the one before", async () => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults);
    await addOutput(session, "old");
    faults.hook = ({ name, file }) => (name === "unlink" && file === "s1.op_1.jsonl" ? fail("EPERM") : undefined);
    await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));

    await addOutput(session, "new");
    await session.close();

    expect((await readReopened(folder)).output).toEqual(["new"]);
  });
});

function fail(code: string): never {
  throw systemError(code);
}
