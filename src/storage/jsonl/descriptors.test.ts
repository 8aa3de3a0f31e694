import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionScope } from "../address.js";
import { createFaulty, Faults } from "./fixtures/faulty-session.js";
import { systemError } from "./fixtures/hooked-files.js";
import { addEntry, addOutput, fillSample, output, readSample, scope, title } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

// Files that this process has open in a folder, as Linux lists them, removed ones included.

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  "[S5] rewrites, retirements, forks, readers and refusals leave no file open (Linux)",
  async () => {
    using folder = openTemporaryFolder();
    const storage = createJsonlStorage({ folder: folder.path, outputCapBytes: 500, minMainDeadBytes: 500 });
    const session = await storage.create("s1");
    const reader = await storage.read("s1");
    for (let round = 0; round < 5; round += 1) {
      await fillSample(session);
      await session.commit(sessionScope, (transaction) => transaction.set(title, "x".repeat(2_000)));
      await session.commit(scope, (transaction) => transaction.append(output, "y".repeat(2_000)));
      await session.commit(scope, (transaction) => transaction.append(output, "base", { supersedes: true }));
      await readSample(reader);
      await (await session.fork(`fork${round}`)).close();
      await expect(storage.open("s1")).rejects.toMatchObject({ code: "session_locked" });
      await expect(storage.open("nowhere")).rejects.toMatchObject({ code: "session_unknown" });
      await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));
      await readSample(reader);
    }

    // Main log, its second descriptor and its lock; the reader's main log.
    expect(openIn(folder).sort()).toEqual(["s1.jsonl", "s1.jsonl", "s1.jsonl", "s1.lock"]);
    await reader.close();
    await session.close();
    expect(openIn(folder)).toEqual([]);
  },
);

test.skipIf(!isLinux)("[S7] openings, commits and closings that fail leave no file open (Linux)", async () => {
  using folder = openTemporaryFolder();
  const faults = new Faults();
  const session = await createFaulty(folder, faults);
  await fillSample(session);
  for (const name of ["create", "write", "rename", "unlink"] as const) {
    faults.hook = (call) => {
      if (call.name === name) throw systemError("EIO");
    };
    await addOutput(session, "lost").catch(() => undefined);
    await session.commit(sessionScope, (transaction) => transaction.retireScope(scope)).catch(() => undefined);
    faults.heal();
    await addOutput(session, "next life");
  }
  faults.hook = ({ name }) => {
    if (name === "sync") throw systemError("EIO");
  };
  await expect(addEntry(session, "unknown")).rejects.toMatchObject({ code: "write_failed" });
  await session.close();
  expect(openIn(folder)).toEqual([]);

  const failing = createJsonlStorage({ folder: folder.path, files: faults.files });
  await expect(failing.open("s1")).rejects.toMatchObject({ code: "io_failed" });
  expect(openIn(folder)).toEqual([]);
  faults.heal();
  const bytes = folder.read("s1.jsonl");
  bytes[bytes.indexOf("two")] = 0;
  folder.write("s1.jsonl", bytes);
  await expect(failing.open("s1")).rejects.toMatchObject({ code: "damaged" });
  await expect(failing.read("s1")).rejects.toMatchObject({ code: "damaged" });
  await failing.verify("s1");
  await failing.repair("s1");
  expect(openIn(folder)).toEqual([]);
});

function openIn({ path }: TemporaryFolder): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    const target = nameOf(descriptor);
    return target.startsWith(join(path, "/")) ? [target.slice(path.length + 1)] : [];
  });
}

/** The descriptor of the listing itself is gone by now. */
function nameOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return "";
  }
}
