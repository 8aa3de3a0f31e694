import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countReads } from "./fixtures/counted-reads.js";
import { addEntry, entries, output, scope } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

test("[S4] a running tool's state is read from its last base on, however much is stored before it", async () => {
  using folder = openTemporaryFolder();
  const session = await createJsonlStorage({ folder: folder.path }).create("s1");
  await addEntry(session, "x".repeat(1_000_000));
  const append = (text: string, tag?: string): Promise<unknown> =>
    session.commit(scope, (transaction) => transaction.append(output, text, { tag }), { sync: "interval" });
  for (let place = 0; place < 3_000; place += 1) await append(`before ${place} ${"y".repeat(100)}`);
  await append(`base ${"b".repeat(50_000)}`, "base");
  for (let place = 0; place < 60; place += 1) await append(`after ${place} ${"z".repeat(1_000)}`);
  await session.close();
  const sidecar = folder.read("s1.op_1.jsonl");
  const fromBase = sidecar.length - sidecar.indexOf('"base bbb');
  const reads = countReads();
  const opened = await createJsonlStorage({ folder: folder.path, files: reads.files }).open("s1");
  const atOpening = { sidecar: reads.take("s1.op_1.jsonl"), main: reads.take("s1.jsonl") };

  const { elements } = await opened.readList(output, { order: "desc", stopAtTag: "base" });

  expect(elements).toHaveLength(61);
  expect(elements.at(-1)?.value).toMatch(/^base /);
  expect(reads.take("s1.op_1.jsonl")).toBeLessThanOrEqual(fromBase);
  expect(reads.take("s1.jsonl")).toBe(0);
  // To verify it, once, and its header.
  expect(atOpening.sidecar).toBeGreaterThanOrEqual(sidecar.length);
  expect(atOpening.sidecar).toBeLessThanOrEqual(sidecar.length + 1_024);
  expect(atOpening.main).toBeGreaterThan(1_000_000);
  await opened.close();
});

test("[S4] where bases supersede, even opening reads no more than one base, what follows, and a cap of what is dead", async () => {
  using folder = openTemporaryFolder();
  const [base, step, cap] = ["b".repeat(50_000), "z".repeat(1_000), 51_200];
  const session = await createJsonlStorage({ folder: folder.path, outputCapBytes: cap }).create("s1");
  for (let place = 0; place < 1_000; place += 1) {
    const isBase = place % 64 === 0;
    await session.commit(
      scope,
      (transaction) =>
        transaction.append(output, isBase ? base : step, isBase ? { tag: "base", supersedes: true } : {}),
      { sync: "interval" },
    );
  }
  await session.close();
  const reads = countReads();

  const opened = await createJsonlStorage({ folder: folder.path, files: reads.files }).open("s1");

  const lines = 65 * 256;
  expect(reads.take("s1.op_1.jsonl")).toBeLessThanOrEqual(base.length + 63 * step.length + lines + cap);
  await opened.close();
});

test(
  "[S5] opening a long log reads each byte once, and its newest messages from its end (X23)",
  { timeout: 60_000 },
  async () => {
    using folder = openTemporaryFolder();
    const [count, text] = [process.env["CI"] === "true" ? 9_000 : 900, "m".repeat(14_000)];
    const session = await createJsonlStorage({ folder: folder.path }).create("s1");
    await Promise.all(Array.from({ length: count }, (_, place) => addEntry(session, `${place} ${text}`)));
    await session.close();
    const { size } = statSync(join(folder.path, "s1.jsonl"));
    const reads = countReads();
    const opened = await createJsonlStorage({ folder: folder.path, files: reads.files }).open("s1");
    const atOpening = reads.take("s1.jsonl");

    const { elements } = await opened.readList(entries, { order: "desc", limit: 20 });

    expect(elements[0]?.value).toBe(`${count - 1} ${text}`);
    expect(size).toBeGreaterThan(count * text.length);
    expect(atOpening).toBeLessThanOrEqual(size + 1_024);
    expect(reads.take("s1.jsonl")).toBeLessThan(20 * (text.length + 300));
    await opened.close();
  },
);
