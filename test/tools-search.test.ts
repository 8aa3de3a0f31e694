import { describe, expect, test } from "vitest";
import { getOrThrow } from "../src/exec/index.js";
import type { EnvFiles, ExecutionEnv } from "../src/exec/index.js";
import type { Json } from "../src/protocol/index.js";
import { createFindTool, createGrepTool } from "../src/tools/index.js";
import { runTool } from "../src/tools/fixtures/run-tool.js";
import { SearchPrograms } from "../src/tools/search/programs.js";
import { describeIn, inProcess, plantFiles, shownBy, toolEnvs, useToolEnv } from "./support/tool-envs.js";
import type { PlantedFile } from "./support/tool-envs.js";

const TREE: Readonly<Record<string, PlantedFile>> = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".gitignore": "*.log\n!keep.log\nbuild/\n/only-root\n**/deep/**/x\nspace\\ \n",
  "sub/.gitignore": "!again.log\nlocal[0-9]\n",
  ...Object.fromEntries(
    [
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
      "esc\u001b[31mape",
      "-dash.txt",
      ".hidden/z.ts",
    ].map((path) => [path, `first\nfoo bar ${path.length}\nTail é\r\nfoo\\d_1\n[x]&&~ end\n`]),
  ),
  "binary.txt": "foo\n\0\n",
  "invalid.txt": Buffer.from("foo \xff bar\n", "latin1"),
  "long.txt": `${"x".repeat(2_000)}foo${"y".repeat(2_000)}\n`,
  loop: { linkTo: "." },
};

const GREPS: readonly { readonly [name: string]: Json }[] = [
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

const FINDS: readonly { readonly [name: string]: Json }[] = [
  { pattern: "**" },
  { pattern: "*.txt" },
  { pattern: "sub/*", type: "file" },
  { pattern: "**", type: "folder" },
  { pattern: "**", limit: 3 },
];

describeIn(toolEnvs, (stage) => {
  test("[T8] grep gives the same with the env's ripgrep and without", async (context) => {
    const { env } = stage;
    await plantFiles(env, TREE);
    const programs = new SearchPrograms();
    const { hasRipgrep } = await programs.find(env, { signal: new AbortController().signal });
    if (!hasRipgrep) context.skip("this env has no ripgrep");
    for (const params of GREPS) {
      const by = await runTool(createGrepTool({ programs }), env, params);
      const own = await runTool(createGrepTool({ programs: "none" }), env, params);

      expect([params, by.sink.snapshot().details]).toMatchObject([params, { by: "ripgrep" }]);
      expect([params, by.text() === ""]).toEqual([params, params["pattern"] === "nothing like it"]);
      expect([params, shownBy(own)]).toEqual([params, shownBy(by)]);
    }
  });

  test("[T8] find gives the same with the env's fd and without", async (context) => {
    const { env } = stage;
    await plantFiles(env, TREE);
    const programs = new SearchPrograms();
    const { fd } = await programs.find(env, { signal: new AbortController().signal });
    if (fd === undefined) context.skip("this env has no fd");
    for (const params of FINDS) {
      const by = await runTool(createFindTool({ programs }), env, params);
      const own = await runTool(createFindTool({ programs: "none" }), env, params);

      expect([params, by.sink.snapshot().details]).toMatchObject([params, { by: "fd" }]);
      expect([params, shownBy(own)]).toEqual([params, shownBy(by)]);
    }
  });

  test("[T8] O16: names with newlines and escape sequences stay on one line and reach no terminal", async () => {
    const { env } = stage;
    await plantFiles(env, { "na\nme": "foo\n", "esc\u001b[2Jape": "foo\u001b[2J\n" });

    const grep = await runTool(createGrepTool(), env, { pattern: "foo" });
    const find = await runTool(createFindTool(), env, { pattern: "*" });

    expect(grep.text()).toBe('"esc\\u001b[2Jape":1:foo␛[2J\n"na\\nme":1:foo\n');
    expect(find.text()).toBe('"esc\\u001b[2Jape"\n"na\\nme"\n');
  });
});

describe("in process", () => {
  const stage = useToolEnv(inProcess);

  test.each(["the env's programs", "our own search"])(
    "[T8] what a glob chooses is found behind any number of matches in other files, by %s",
    async (how) => {
      const { env } = stage;
      await plantFiles(env, { "a/many": "foo\n".repeat(30_000), "z/one": "foo\n" });
      const programs = how === "our own search" ? "none" : new SearchPrograms();

      const run = await runTool(createGrepTool({ programs }), env, { pattern: "foo", glob: "z/**" });

      expect(shownBy(run)).toEqual([null, "z/one:1:foo\n", null]);
    },
  );

  test("[T8] an expression that would hold a backtracking matcher ends at once", async () => {
    const { env } = stage;
    await plantFiles(env, { f: `${"a".repeat(50_000)}\n` });

    expect(shownBy(await runTool(createGrepTool({ programs: "none" }), env, { pattern: "(a*)*b" }))).toEqual([
      null,
      "",
      "[No line matches in the working folder.]",
    ]);
    expect((await runTool(createGrepTool(), env, { pattern: "(" })).error).toMatchObject({ code: "invalid_pattern" });
  });

  test("[T3] O09: a search of 100,000 files shows what its caps take, and says that there are more", async () => {
    const { env } = stage;
    const find = createFindTool({ programs: "none", output: { maxBytes: 4_096 } });
    const grep = createGrepTool({ programs: "none", output: { maxBytes: 4_096 } });

    const paths = await runTool(find, withFiles(env, manyFiles()), { pattern: "*", type: "file", limit: 10_000 });
    const lines = await runTool(grep, withFiles(env, manyFiles()), { pattern: "foo", limit: 2_000 });

    for (const run of [paths, lines]) {
      expect(Buffer.byteLength(run.text())).toBeLessThanOrEqual(4_096);
      expect(run.notice()).toContain("there are more");
    }
  });

  test("[T8] of a folder with more entries than a listing has, the search says that it saw only the first", async () => {
    const { env } = stage;
    const { list, ...files } = manyFiles();
    const cut: EnvFiles["list"] = async (path) => {
      const listing = await list(path);
      return listing.ok ? { ok: true, value: { ...listing.value, truncated: path === "/d0" } } : listing;
    };

    const run = await runTool(createFindTool({ programs: "none" }), withFiles(env, { ...files, list: cut }), {
      pattern: "nothing",
    });

    expect(run.notice()).toContain("Only the first 1000 entries of d0 were looked at.");
  });

  test("[H6] an abort ends a search of 100,000 files where it is", async () => {
    const { env } = stage;
    const aborting = new AbortController();
    let reads = 0;
    const files = manyFiles(() => {
      reads += 1;
      if (reads === 200) aborting.abort();
    });

    const params = { pattern: "not there" };
    const run = await runTool(createGrepTool({ programs: "none" }), withFiles(env, files), params, aborting);

    expect(run.error).toMatchObject({ code: "call_aborted" });
    expect(reads).toBeLessThan(300);
  });

  test("[H6] an abort ends a search by a program, and nothing of it stays", async () => {
    const { env } = stage;
    getOrThrow(await env.exec("mkdir d; seq 1 200 | sed 's,^,d/,' | xargs touch", {}));
    const programs = new SearchPrograms();
    const found = await programs.find(env, { signal: new AbortController().signal });
    expect(Object.keys(found)).toContain("fd");
    const aborting = new AbortController();
    const call = runTool(createGrepTool({ programs }), env, { pattern: "x" }, aborting);
    aborting.abort();

    expect((await call).error).toMatchObject({ code: "call_aborted" });
    expect(await env.list()).toEqual([]);
  });
});

const FOLDERS = 100;
const FILES = 1_000;

/** 100 folders of 1,000 files each, of which every one says foo. */
function manyFiles(onRead: () => void = () => undefined): Pick<EnvFiles, "stat" | "list" | "read"> {
  const info = (path: string, kind: "file" | "folder") => ({
    path,
    kind,
    bytes: 4,
    mode: 0o644,
    modifiedAt: 0,
    version: "1",
  });
  const isFolder = (path: string): boolean => path === "." || path === "/" || /^\/d\d+$/.test(path);
  const named = (prefix: string, count: number, kind: "file" | "folder") =>
    Array.from({ length: count }, (_, index) => ({ name: `${prefix}${index}`, kind }));
  return {
    stat: (path) =>
      Promise.resolve({ ok: true, value: info(path === "." ? "/" : path, isFolder(path) ? "folder" : "file") }),
    list: (path) =>
      Promise.resolve({
        ok: true,
        value: {
          path: path === "." ? "/" : path,
          entries: path === "/" || path === "." ? named("d", FOLDERS, "folder") : named("f", FILES, "file"),
          truncated: false,
        },
      }),
    read: (path, { offset = 0 } = {}) => {
      onRead();
      const bytes = offset === 0 ? Buffer.from("foo\n") : new Uint8Array();
      return Promise.resolve({ ok: true, value: { info: info(path, "file"), offset, bytes } });
    },
  };
}

function withFiles(env: ExecutionEnv, files: Partial<EnvFiles>): ExecutionEnv {
  return { ...env, files: { ...env.files, ...files } };
}
