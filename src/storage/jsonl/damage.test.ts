import { describe, expect, test } from "vitest";
import { sessionScope } from "../address.js";
import { StorageError } from "../errors.js";
import type { StorageDiagnostic } from "./diagnostics.js";
import { fillSample, makeSample, readSample, scope } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { unsyncedFiles } from "./fixtures/unsynced-files.js";
import { createJsonlStorage } from "./jsonl-storage.js";

const isCi = process.env["CI"] === "true";
const HANG_LIMIT_MS = 300_000;
const files = ["s1.jsonl", "s1.op_1.jsonl"];

describe.each(files)("%s", (file) => {
  test(
    "[S6] a flipped bit before the last line is refused with file and line, and every byte is kept",
    async () => {
      using folder = openTemporaryFolder();
      await makeSample(folder);
      const whole = folder.contents();
      const bytes = folder.read(file);
      // Up to the LF: where that is changed, the last line is none that verifies by itself.
      const lastLine = bytes.lastIndexOf("\n", bytes.length - 2);

      for (let place = 0; place < lastLine; place += 1) {
        const line = bytes.toString("latin1", 0, place).split("\n").length;
        for (const bit of isCi ? [0, 3, 5, 7] : [place % 8]) {
          const flipped = Buffer.from(bytes);
          flipped[place] = (bytes[place] ?? 0) ^ (1 << bit);
          folder.write(file, flipped);

          const { error } = await open(folder);

          expect(error?.code, `bit ${bit} flipped at ${place}`).toBe("damaged");
          expect(error?.message).toContain(`${file}, line ${line} (byte `);
          expect(folder.contents()).toEqual({ ...whole, [file]: flipped.toString("latin1") });
        }
      }
    },
    HANG_LIMIT_MS,
  );

  test("[S6] the refusal names the command that saves what can be saved", async () => {
    using folder = openTemporaryFolder();
    await makeSample(folder);
    const bytes = folder.read(file);
    bytes[bytes.indexOf("three")] = 0;
    folder.write(file, bytes);

    expect((await open(folder)).error?.message).toMatch(/with the file kept as it is: spillway repair s1$/);
  });

  test("[S6] a reader refuses interior damage too", async () => {
    using folder = openTemporaryFolder();
    await makeSample(folder);
    const bytes = folder.read(file);
    bytes[bytes.indexOf("\n") + 20] = 0;
    folder.write(file, bytes);

    await expect(createJsonlStorage({ folder: folder.path }).read("s1")).rejects.toMatchObject({ code: "damaged" });
  });
});

describe("a sidecar whose scope was retired and that could not be removed", () => {
  test.each([
    ["its header", 3],
    ["the line behind its header", 200],
    ["its last line", -40],
  ])("[S3] does not matter when %s is damaged", async (_name, place) => {
    using folder = openTemporaryFolder();
    const sidecar = await makeRetired(folder);
    const bytes = Buffer.from(sidecar);
    bytes[place < 0 ? bytes.length + place : place] = 0;
    folder.write("s1.op_1.jsonl", bytes);

    const reader = await createJsonlStorage({ folder: folder.path }).read("s1");
    expect((await readSample(reader)).entries).toHaveLength(4);
    expect(await reader.liveScopes()).toEqual([]);
    await reader.close();
    expect(folder.read("s1.op_1.jsonl")).toEqual(bytes);

    const { sample } = await open(folder);
    expect(sample).toMatchObject({ output: [], memo: undefined });
    expect(folder.names()).toEqual(["s1.jsonl"]);
  });

  test("[S6] is refused when nothing in it tells that it is dead", async () => {
    using folder = openTemporaryFolder();
    const sidecar = await makeRetired(folder);
    folder.write("s1.op_1.jsonl", Buffer.alloc(sidecar.length));

    expect((await open(folder)).error?.code).toBe("damaged");
    await expect(createJsonlStorage({ folder: folder.path }).read("s1")).rejects.toMatchObject({ code: "damaged" });
    expect(folder.names()).toEqual(["s1.jsonl", "s1.op_1.jsonl"]);
  });

  test("[S6] is not taken for one of the scope's next life", async () => {
    using folder = openTemporaryFolder();
    await makeRetired(folder);
    const session = await createJsonlStorage({ folder: folder.path }).open("s1");
    await fillSample(session);
    await session.close();
    const bytes = folder.read("s1.op_1.jsonl");
    bytes[3] = 0;
    folder.write("s1.op_1.jsonl", bytes);

    expect((await open(folder)).error?.code).toBe("damaged");
  });
});

/** The sample, whose scope was retired; its sidecar is still there. Gives the sidecar. */
async function makeRetired(folder: TemporaryFolder): Promise<Buffer> {
  await makeSample(folder);
  const sidecar = folder.read("s1.op_1.jsonl");
  const session = await createJsonlStorage({ folder: folder.path }).open("s1");
  await session.commit(sessionScope, (transaction) => transaction.retireScope(scope));
  await session.close();
  folder.write("s1.op_1.jsonl", sidecar);
  return sidecar;
}

test("[S6] a changed first line is refused, and the transcript is still there (X17)", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  const bytes = folder.read("s1.jsonl");
  bytes[3] = (bytes[3] ?? 0) ^ 1;
  folder.write("s1.jsonl", bytes);

  const before = folder.contents();

  const { error } = await open(folder);
  const created = createJsonlStorage({ folder: folder.path }).create("s1");

  expect(error?.message).toContain("s1.jsonl, line 1 (byte 0): it is no header that verifies.");
  await expect(created).rejects.toMatchObject({ code: "session_exists" });
  expect(folder.contents()).toEqual(before);
});

test("[S6] a file under another session's or scope's name is refused", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  folder.write("s1.op_2.jsonl", folder.read("s1.op_1.jsonl"));

  const { error } = await open(folder);

  expect(error?.code).toBe("damaged");
  expect(error?.message).toContain("s1.op_2.jsonl, line 1 (byte 0): it is the header of scope op_1 of session s1");
});

test("[S6] an empty file is damage, not an empty session", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  folder.write("s1.jsonl", Buffer.alloc(0));

  expect((await open(folder)).error?.code).toBe("damaged");
});

test("[S6] a text that was changed after the session was opened is told as damage, not as a fault of the program", async () => {
  using folder = openTemporaryFolder();
  await makeSample(folder);
  const session = await createJsonlStorage({ folder: folder.path }).open("s1");
  const bytes = folder.read("s1.jsonl");
  bytes[bytes.indexOf('"one"')] = 0;
  folder.write("s1.jsonl", bytes);

  await expect(readSample(session)).rejects.toMatchObject({
    code: "damaged",
    message: expect.stringContaining("An element of entries in session s1 is no JSON any more"),
  });
  await session.close();
});

interface Opened {
  readonly error?: StorageError;
  readonly sample?: Sample;
  readonly diagnostics: readonly StorageDiagnostic[];
}

async function open(folder: TemporaryFolder): Promise<Opened> {
  const diagnostics: StorageDiagnostic[] = [];
  const storage = createJsonlStorage({
    folder: folder.path,
    files: unsyncedFiles,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  try {
    const session = await storage.open("s1");
    const sample = await readSample(session);
    await session.close();
    return { sample, diagnostics };
  } catch (error) {
    if (error instanceof StorageError) return { error, diagnostics };
    throw error;
  }
}
