import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ephemeralScope, listAddress, sessionScope, valueAddress } from "../address.js";
import { writeFormatExample } from "./fixtures/format-example.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import type { TemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

// The document is the format: its lines are what the writer makes, and what readers are given here.

const document = readFileSync(new URL("../../../spec/storage-format.md", import.meta.url), "utf8");
const files = findFiles(document);
const state = JSON.parse(findBlock("json")) as HeldState;

interface HeldState {
  readonly values: Readonly<Record<string, unknown>>;
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
  readonly scopes?: Readonly<Record<string, HeldState>>;
}

test("[S5] the writer produces the document's lines, byte for byte", async () => {
  using folder = openTemporaryFolder();

  expect(await writeFormatExample(folder)).toEqual(files);
});

test("[S5] the document's lines, as files, hold what the document says", async () => {
  using folder = openTemporaryFolder();
  layOut(folder, withoutLastLine);

  expect(await readState(folder)).toEqual(state);
});

test("[S3] with the document's last line the retired scope is gone, and its file at the next opening", async () => {
  using folder = openTemporaryFolder();
  layOut(folder, (text) => text);
  const { op_1: retired, ...scopes } = state.scopes ?? {};
  const expected = { ...state, lists: { entries: [...(state.lists["entries"] ?? []), { text: "done" }] }, scopes };

  expect(retired).toBeDefined();
  expect(await readState(folder)).toEqual(expected);
  expect(folder.names()).toContain("demo.op_1.jsonl");
  await (await createJsonlStorage({ folder: folder.path }).open("demo")).close();
  expect(folder.names()).toEqual(["demo.jsonl", "demo.op_2.jsonl"]);
});

const python = await findPython();
const why = python === undefined ? " (skipped: no python3 here)" : "";

test.skipIf(python === undefined)(`[S5] the document's reader in Python reads the same${why}`, async () => {
  using folder = openTemporaryFolder();
  layOut(folder, withoutLastLine);

  expect(await runReader(folder, "demo")).toEqual(state);
});

test.skipIf(python === undefined)(`[S6] it stops before a torn tail, and refuses damage${why}`, async () => {
  using folder = openTemporaryFolder();
  layOut(folder, (text) => text.slice(0, -1));
  expect(await runReader(folder, "demo")).toEqual(state);

  layOut(folder, (text) => text.replace("Demo", "demo"));
  await expect(runReader(folder, "demo")).rejects.toMatchObject({
    stderr: expect.stringMatching(/demo\.jsonl: damaged at byte \d+/),
  });
});

test.skipIf(python === undefined)(
  `[S5] one record in, one record out, for readers that know more line ends (O17)${why}`,
  async () => {
    using folder = openTemporaryFolder();
    const separators = "a\u2028b\u2029c\u0085d\ve\ff\u001cg\u001dh\u001ei\rj\nk\r\nl";
    const session = await createJsonlStorage({ folder: folder.path }).create("demo");
    const scope = ephemeralScope("op_1");
    for (let count = 0; count < 3; count += 1) {
      await session.commit(sessionScope, (transaction) =>
        transaction.append(listAddress(sessionScope, "l"), separators),
      );
      await session.commit(scope, (transaction) =>
        transaction.set(valueAddress(scope, "v"), { [separators]: separators }),
      );
    }
    await session.close();

    expect(await runReader(folder, "demo")).toEqual({
      values: {},
      lists: { l: [separators, separators, separators] },
      scopes: { op_1: { values: { v: { [separators]: separators } }, lists: {} } },
    });
    const count =
      "import sys; print([len(open(path, encoding='utf8', newline='').read().splitlines()) for path in sys.argv[1:]])";
    const paths = ["demo.jsonl", "demo.op_1.jsonl"].map((name) => join(folder.path, name));
    const { stdout } = await promisify(execFile)("python3", ["-c", count, ...paths]);
    expect(JSON.parse(stdout)).toEqual([2 + 3, 1 + 3]);
  },
);

function findFiles(text: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(text.matchAll(/```jsonl (\S+)\n([^]*?)```/g), ([, name = "", lines = ""]) => [name, lines]),
  );
}

function findBlock(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(document)?.[1] ?? "";
}

function layOut(folder: TemporaryFolder, changeMain: (text: string) => string): void {
  for (const [name, text] of Object.entries(files)) {
    folder.write(name, Buffer.from(name === "demo.jsonl" ? changeMain(text) : text));
  }
}

function withoutLastLine(text: string): string {
  return text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
}

async function readState(folder: TemporaryFolder): Promise<HeldState> {
  const reader = await createJsonlStorage({ folder: folder.path }).read("demo");
  const read = async (scope: typeof sessionScope | ReturnType<typeof ephemeralScope>): Promise<HeldState> => {
    const values: Record<string, unknown> = {};
    const lists: Record<string, readonly unknown[]> = {};
    for (const { kind, key } of await reader.listKeys(scope)) {
      if (kind === "value") values[key] = await reader.readValue({ kind, scope, key });
      else lists[key] = (await reader.readList({ kind, scope, key })).elements.map(({ value }) => value);
    }
    return { values, lists };
  };
  const scopes: Record<string, HeldState> = {};
  for (const scope of await reader.liveScopes()) scopes[scope.id] = await read(scope);
  const own = await read(sessionScope);
  await reader.close();
  return { ...own, scopes };
}

async function runReader(folder: TemporaryFolder, session: string): Promise<unknown> {
  const args = ["-c", findBlock("python"), folder.path, session];
  const { stdout } = await promisify(execFile)("python3", args, { env: { ...process.env, PYTHONUTF8: "1" } });
  return JSON.parse(stdout);
}

async function findPython(): Promise<string | undefined> {
  return promisify(execFile)("python3", ["--version"]).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}
