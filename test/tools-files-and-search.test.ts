import { mkdtempSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalEnv } from "../src/exec/index.js";
import type { LocalEnv } from "../src/exec/index.js";
import type { Json } from "../src/protocol/index.js";
import {
  createEditTool,
  createFindTool,
  createGrepTool,
  createLsTool,
  createReadTool,
  createWriteTool,
} from "../src/tools/index.js";
import { runTool } from "../src/tools/fixtures/run-tool.js";
import type { ToolRun } from "../src/tools/fixtures/run-tool.js";
import { SearchPrograms } from "../src/tools/search/programs.js";

let root: string;
let folder: string;
let env: LocalEnv;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "spillway-tools-")));
  folder = join(root, "work");
  mkdirSync(folder);
  env = createLocalEnv({ cwd: folder, environment: process.env, spillFolder: join(root, "spill") });
});

afterEach(async () => {
  await env.close();
  rmSync(root, { recursive: true });
});

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};
const get = (path: string): string => readFileSync(join(folder, path), "latin1");
const shown = (run: ToolRun): Json => [
  run.error === undefined ? null : (run.error as Error).message,
  run.text(),
  run.notice() ?? null,
];

test("[T8] read shows a window of lines and says how to go on", async () => {
  put("a.txt", "one\ntwo\nthree\r\nfour");

  expect(shown(await runTool(createReadTool(), env, { path: "a.txt", offset: 2, limit: 2 }))).toEqual([
    null,
    "two\nthree\n",
    "[Lines 2-3 of 4 shown. Go on with offset 4. 1 line of these end with CRLF.]",
  ]);
  const beyond = await runTool(createReadTool(), env, { path: "a.txt", offset: 5 });
  expect(beyond.error).toMatchObject({ code: "beyond_end" });
});

test("[T8] read shows the start of a line that is longer than the cap, and tells of binary and empty files", async () => {
  put("long.txt", `${"é".repeat(100)}\nb\n`);
  put("bin", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]));
  put("empty", "");

  const long = await runTool(createReadTool({ output: { maxBytes: 21 } }), env, { path: "long.txt" });
  expect(shown(long)).toEqual([
    null,
    "é".repeat(10),
    expect.stringContaining("The start of line 1 of 2 shown, 20 of its 200 bytes"),
  ]);
  expect((await runTool(createReadTool(), env, { path: "bin" })).notice()).toContain("an ELF program, 5 bytes");
  expect((await runTool(createReadTool(), env, { path: "empty" })).notice()).toBe("[empty is empty.]");
});

test("[T5] read gives an image by its first bytes", async () => {
  put("x.dat", Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1"));

  const { sink } = await runTool(createReadTool(), env, { path: "x.dat" });
  expect(sink.snapshot().content.at(-1)).toMatchObject({ type: "image", mediaType: "image/png" });
});

test("[T8] edit keeps line ends, byte order mark and bytes that are no text, and shows the difference", async () => {
  writeFileSync(join(folder, "w.txt"), Buffer.from("\xef\xbb\xbfone\r\ntwo\r\n\xff\r\nlast", "latin1"));

  const run = await runTool(createEditTool(), env, {
    path: "w.txt",
    edits: [
      { oldText: "one\ntwo", newText: "1\n2\n3" },
      { oldText: "last", newText: "end" },
    ],
  });

  expect(run.error).toBeUndefined();
  expect(get("w.txt")).toBe("\xef\xbb\xbf1\r\n2\r\n3\r\n\xff\r\nend");
  expect(run.text()).toContain("+3\n");
});

test.each([
  [[{ oldText: "  b", newText: "x" }], "text_not_found"],
  [[{ oldText: "a", newText: "x" }], "text_not_unique"],
  [
    [
      { oldText: "b\nc", newText: "x" },
      { oldText: "c", newText: "y" },
    ],
    "edits_overlap",
  ],
  [[{ oldText: "b", newText: "b" }], "nothing_changed"],
])("[T8] an edit that does not fit changes nothing: %j", async (edits, code) => {
  put("f", "a\nb\nc\na\n");

  expect((await runTool(createEditTool(), env, { path: "f", edits })).error).toMatchObject({ code });
  expect(get("f")).toBe("a\nb\nc\na\n");
});

test("[T8] edits of one file at the same time all land", async () => {
  put("f", Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join(""));
  const tool = createEditTool();

  const runs = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      runTool(tool, env, { path: "f", edits: [{ oldText: `<${index}>`, newText: `(${index})` }] }),
    ),
  );

  expect(runs.map(({ error }) => error)).toEqual(runs.map(() => undefined));
  expect(get("f")).toBe(Array.from({ length: 20 }, (_, index) => `(${index})\n`).join(""));
});

test("[T8] write makes folders and says what it did", async () => {
  const run = await runTool(createWriteTool(), env, { path: "a/b/c.txt", content: "x\ny" });

  expect(shown(run)).toEqual([null, "Made a/b/c.txt: 3 bytes, 2 lines\n", null]);
  expect(get("a/b/c.txt")).toBe("x\ny");
});

test("[T8] ls tells folders and links, and how many more there are", async () => {
  for (const name of ["b", "a.txt", "new\nline"]) put(name, "");
  mkdirSync(join(folder, "a"));
  symlinkSync("nowhere", join(folder, "z"));

  expect(shown(await runTool(createLsTool(), env, {}))).toEqual([
    null,
    'a/\na.txt\nb\n"new\\nline"\nz -> (nothing)\n',
    null,
  ]);
  expect((await runTool(createLsTool(), env, { limit: 2 })).notice()).toContain(
    "The first 2 of 5 entries shown, 3 more",
  );
});

function plantTree(): void {
  mkdirSync(join(folder, ".git"));
  put(".gitignore", "*.log\n!keep.log\nbuild/\n/only-root\n**/deep/**/x\nspace\\ \n");
  put("sub/.gitignore", "!again.log\nlocal[0-9]\n");
  for (const path of [
    "a.txt",
    "a/b.txt",
    "x.log",
    "keep.log",
    "build/out.txt",
    "only-root",
    "sub/only-root",
    "sub/again.log",

    "sub/local1",
    "sub/localx",
    "deep/a/b/x",
    "deep/y",
    "space ",
    "na\nme.txt",
    "-dash.txt",
    ".hidden/z.ts",
    ".git/w.ts",
  ]) {
    put(path, `first\nfoo bar ${path.length}\nTail é\r\nfoo\\d_1\n[x]&&~ end\n`);
  }
  put("binary.txt", "foo\n\0\n");
  put("invalid.txt", Buffer.from("foo \xff bar\n", "latin1"));
  put("long.txt", `${"x".repeat(2_000)}foo${"y".repeat(2_000)}\n`);
  symlinkSync(".", join(folder, "loop"));
}

const PATTERNS: readonly { readonly [name: string]: Json }[] = [
  { pattern: "foo" },
  { pattern: "FOO", ignoreCase: true, context: 1 },
  { pattern: "\\bfoo\\b.*\\d$" },
  { pattern: "\\d_1", literal: true, glob: "*.txt" },
  { pattern: "[[&~]x|\\w\\W\\w{2}", context: 2, path: "sub" },
  { pattern: "é$" },
  { pattern: "^first$", limit: 3 },
  { pattern: "foo", glob: "{sub,deep}/**" },
  { pattern: "\\Qfoo\\d\\E" },
  { pattern: "foo", path: "a.txt", context: 1 },
  { pattern: "nothing like it" },
];

test("[T8] grep gives the same with the env's ripgrep and without", async (context) => {
  plantTree();
  const programs = new SearchPrograms();
  const { hasRipgrep } = await programs.find(env, { signal: new AbortController().signal });
  if (!hasRipgrep) context.skip("this machine has no ripgrep");
  for (const params of PATTERNS) {
    const by = await runTool(createGrepTool({ programs }), env, params);
    const own = await runTool(createGrepTool({ programs: "none" }), env, params);

    const isVain = params["pattern"] === "nothing like it";
    expect([params, by.sink.snapshot().details]).toMatchObject([params, { by: "ripgrep" }]);
    expect([params, by.text() === ""]).toEqual([params, isVain]);
    expect([params, shown(own)]).toEqual([params, shown(by)]);
  }
});

test("[T8] find gives the same with the env's fd and without", async (context) => {
  plantTree();
  const programs = new SearchPrograms();
  const { fd } = await programs.find(env, { signal: new AbortController().signal });
  if (fd === undefined) context.skip("this machine has no fd");
  for (const params of [
    { pattern: "**" },
    { pattern: "*.txt" },
    { pattern: "sub/*", type: "file" },
    { pattern: "**", type: "folder" },
    { pattern: "**", limit: 3 },
  ]) {
    const by = await runTool(createFindTool({ programs }), env, params);
    const own = await runTool(createFindTool({ programs: "none" }), env, params);

    expect([params, by.sink.snapshot().details]).toMatchObject([params, { by: "fd" }]);
    expect([params, shown(own)]).toEqual([params, shown(by)]);
  }
});

test("[T8] an expression that would hold a backtracking matcher ends at once", async () => {
  put("f", `${"a".repeat(50_000)}\n`);

  expect(shown(await runTool(createGrepTool({ programs: "none" }), env, { pattern: "(a*)*b" }))).toEqual([
    null,
    "",
    "[No line matches in the working folder.]",
  ]);
  expect((await runTool(createGrepTool(), env, { pattern: "(" })).error).toMatchObject({ code: "invalid_pattern" });
});
