import { expect, test } from "vitest";
import { listAddress } from "../address.js";
import type { SessionStorage } from "../contract.js";
import { createFaulty, Faults } from "./fixtures/faulty-session.js";
import { systemError } from "./fixtures/hooked-files.js";
import type { FileCall } from "./fixtures/hooked-files.js";
import { memo, output, readReopened, readSample, scope } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

const kept = listAddress<string>(scope, "kept");

test("[S5] a rewritten sidecar is shorter and holds the same, with the same sequences and tags", async () => {
  using folder = openTemporaryFolder();
  const session = await createFaulty(folder, new Faults(), { outputCapBytes: 1_000 });
  await session.commit(scope, (transaction) => {
    transaction.append(kept, "one", { tag: "first" });
    transaction.append(kept, "two");
    transaction.set(memo, 1);
  });
  await fill(session, 4);
  const before = await session.readList(kept);
  const { sidecarBytes } = await session.usage();

  await supersede(session);

  expect((await session.usage()).sidecarBytes).toBeLessThan(sidecarBytes);
  expect(folder.read("s1.op_1.jsonl").length).toBe((await session.usage()).sidecarBytes);
  expect(await session.readList(kept)).toEqual(before);
  const last = await session.readList(output);
  await session.close();
  const again = await createJsonlStorage({ folder: folder.path }).open("s1");
  expect(await again.readList(kept)).toEqual(before);
  expect(await again.readList(output)).toEqual(last);
  expect(await again.readValue(memo)).toBe(1);
  await again.close();
});

test("[S5] a reading that runs while its sidecar is rewritten ends on the file that it began with", async () => {
  using folder = openTemporaryFolder();
  const session = await createFaulty(folder, new Faults(), { outputCapBytes: 1_000 });
  await fill(session, 4);

  const reading = session.readList(output);
  await supersede(session);

  expect((await reading).elements.map(({ value }) => value.slice(0, 2))).toEqual(["0 ", "1 ", "2 ", "3 "]);
  await session.close();
});

test.each<FileCall["name"]>(["create", "write", "rename"])(
  "[S7] a rewriting whose %s fails costs nothing but space, is told, and comes when the file has grown",
  async (name) => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults, { outputCapBytes: 1_000 });
    await fill(session, 4);
    const { sidecarBytes } = await session.usage();
    faults.hook = (call) => {
      if (call.name === name && /\.new$|^rename/.test(name === "rename" ? name : call.file))
        throw systemError("ENOSPC");
    };

    await supersede(session);

    expect(faults.diagnostics.map(({ kind }) => kind)).toEqual(["rewrite_failed"]);
    expect((await session.usage()).sidecarBytes).toBeGreaterThan(sidecarBytes);
    expect((await readSample(session)).output).toEqual(["base"]);
    faults.heal();
    await fill(session, 1);
    await supersede(session);
    expect((await session.usage()).sidecarBytes).toBeLessThan(sidecarBytes);
    await session.close();
    expect(folder.names()).toEqual(["s1.jsonl", "s1.op_1.jsonl"]);
    expect((await readReopened(folder)).output).toEqual(["base"]);
  },
);

test.each<FileCall["name"]>(["sync", "syncFolder"])(
  "[S7] a rewriting whose %s fails closes the session for writing, and nothing acknowledged is missing",
  async (name) => {
    using folder = openTemporaryFolder();
    const faults = new Faults();
    const session = await createFaulty(folder, faults, { outputCapBytes: 1_000 });
    await fill(session, 4);
    let isMaking = false;
    faults.hook = (call) => {
      isMaking ||= call.name === "create";
      if (isMaking && call.name === name) throw systemError("EIO");
    };

    await session.commit(scope, (transaction) => transaction.append(output, "base", { supersedes: true }));
    await expect(fill(session, 1)).rejects.toMatchObject({ code: expect.stringMatching(/^(read_only|write_failed)$/) });

    expect(faults.diagnostics.map(({ kind }) => kind)).toContain("sync_failed");
    expect((await readSample(session)).output).toEqual(["base"]);
    faults.heal();
    await session.close();
    expect((await readReopened(folder)).output).toEqual(["base"]);
  },
);

async function fill(session: SessionStorage, count: number): Promise<void> {
  for (let place = 0; place < count; place += 1) {
    await session.commit(scope, (transaction) => transaction.append(output, `${place} ${"x".repeat(1_000)}`));
  }
}

/** Makes everything before dead, and waits until the round in which that was written has ended. */
async function supersede(session: SessionStorage): Promise<void> {
  await session.commit(scope, (transaction) => transaction.append(output, "base", { supersedes: true }));
  await session.commit(scope, (transaction) => transaction.set(memo, 1));
}
