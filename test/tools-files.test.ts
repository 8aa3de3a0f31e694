import { describe, expect, test } from "vitest";
import { getOrThrow } from "../src/exec/index.js";
import type { ExecutionEnv } from "../src/exec/index.js";
import { createEditTool, createLsTool, createReadTool, createWriteTool, MAX_IMAGE_BYTES } from "../src/tools/index.js";
import { runTool } from "../src/tools/fixtures/run-tool.js";
import { describeIn, inProcess, plantFiles, readPlanted, shownBy, toolEnvs, useToolEnv } from "./support/tool-envs.js";

describeIn(toolEnvs, (stage) => {
  test("[T8] read shows a window of lines and says how to go on", async () => {
    const { env } = stage;
    await plantFiles(env, { "a.txt": "one\ntwo\nthree\r\nfour" });

    expect(shownBy(await runTool(createReadTool(), env, { path: "a.txt", offset: 2, limit: 2 }))).toEqual([
      null,
      "two\nthree\n",
      "[Lines 2-3 of 4 shown. Go on with offset 4. 1 line of these end with CRLF.]",
    ]);
    const beyond = await runTool(createReadTool(), env, { path: "a.txt", offset: 5 });
    expect(beyond.error).toMatchObject({ code: "beyond_end" });
  });

  test("[T8] read shows the start of a line that is longer than the cap, and tells of binary and empty files", async () => {
    const { env } = stage;
    await plantFiles(env, {
      "long.txt": `${"é".repeat(100)}\nb\n`,
      bin: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]),
      empty: "",
      "wide.txt": Buffer.from("\xff\xfea\0", "latin1"),
    });

    const long = await runTool(createReadTool({ output: { maxBytes: 21 } }), env, { path: "long.txt" });
    expect(shownBy(long)).toEqual([
      null,
      "é".repeat(10),
      expect.stringContaining("The start of line 1 of 2 shown, 20 of its 200 bytes"),
    ]);
    expect((await runTool(createReadTool(), env, { path: "bin" })).notice()).toContain("an ELF program, 5 bytes");
    expect((await runTool(createReadTool(), env, { path: "empty" })).notice()).toBe("[empty is empty.]");
    expect((await runTool(createReadTool(), env, { path: "wide.txt" })).notice()).toContain("UTF-16 text, 4 bytes");
  });

  test("[T8] read shows bytes that are no text, marks and control characters for what they are", async () => {
    const { env } = stage;
    await plantFiles(env, { f: Buffer.from("\xef\xbb\xbfa\xff\xc3\x1b[2Jb\n", "latin1") });

    expect(shownBy(await runTool(createReadTool(), env, { path: "f" }))).toEqual([
      null,
      "a\ufffd\ufffd␛[2Jb\n",
      "[The file begins with a byte order mark. Bytes that are no UTF-8 are shown as U+FFFD. " +
        "Control characters are shown as their pictures.]",
    ]);
  });

  test.each([
    ["a folder", "below", "not_a_file"],
    ["a pipe that nobody writes to", "pipe", "not_a_file"],
    ["a device without end", "/dev/zero", "not_a_file"],
    ["nothing", "missing", "file_not_found"],
  ])("[T8] read refuses %s and does not wait", async (_what, path, code) => {
    const { env } = stage;
    getOrThrow(await env.exec("mkdir below; mkfifo pipe", {}));

    expect((await runTool(createReadTool(), env, { path })).error).toMatchObject({ code });
  });

  test("[T8] read shows a file of the kernel, whose size is said to be 0", async () => {
    const { env } = stage;
    const run = await runTool(createReadTool(), env, { path: "/proc/self/limits" });

    expect(run.text()).toContain("Max open files");
  });

  test("[T5] read gives an image by its first bytes, and refuses one that is too large", async () => {
    const { env } = stage;
    const mark = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
    await plantFiles(env, { "x.dat": Buffer.concat([mark, Buffer.from("rest")]), "y.png": mark });
    getOrThrow(await env.exec(`truncate -s ${MAX_IMAGE_BYTES + 1} y.png`, {}));

    const { sink } = await runTool(createReadTool(), env, { path: "x.dat" });
    const large = await runTool(createReadTool(), env, { path: "y.png" });

    expect(sink.snapshot().content.at(-1)).toMatchObject({ type: "image", mediaType: "image/png" });
    expect(large.error).toMatchObject({ code: "image_too_large" });
    expect(large.sink.snapshot().content.map(({ type }) => type)).not.toContain("image");
  });

  test("[T8] ls tells folders, links and pipes, and how many more there are", async () => {
    const { env } = stage;
    await plantFiles(env, { b: "", "a.txt": "", "new\nline": "", "a/x": "", z: { linkTo: "nowhere" } });
    getOrThrow(await env.exec("mkfifo pipe", {}));

    expect(shownBy(await runTool(createLsTool(), env, {}))).toEqual([
      null,
      'a/\na.txt\nb\n"new\\nline"\npipe (no plain file)\nz -> (nothing)\n',
      null,
    ]);
    const some = await runTool(createLsTool(), env, { limit: 2 });
    expect(some.notice()).toContain("The first 2 of 6 entries shown, 4 more");
    expect((await runTool(createLsTool(), env, { path: "a" })).text()).toBe("x\n");
    expect((await runTool(createLsTool(), env, { path: "b" })).error).toMatchObject({ code: "not_a_folder" });
  });

  test("[T8] write makes folders and says what it did", async () => {
    const { env } = stage;
    const run = await runTool(createWriteTool(), env, { path: "a/b/c.txt", content: "x\ny" });

    expect(shownBy(run)).toEqual([null, "Made a/b/c.txt: 3 bytes, 2 lines\n", null]);
    expect(await readPlanted(env, "a/b/c.txt")).toBe("x\ny");
  });

  test("[T8] write and edit keep mode and link, and leave nothing beside the file", async () => {
    const { env } = stage;
    await plantFiles(env, { "real/f": "one\n", link: { linkTo: "real/f" } });
    getOrThrow(await env.exec("chmod 751 real/f", {}));

    const written = await runTool(createWriteTool(), env, { path: "link", content: "two\n" });
    const edited = await runTool(createEditTool(), env, { path: "link", edits: [{ oldText: "two", newText: "2" }] });

    expect([written.error, edited.error]).toEqual([undefined, undefined]);
    expect(written.text()).toBe("Replaced link: 4 bytes, 1 line, before 4 bytes\n");
    const info = getOrThrow(await env.files.stat("link"));
    expect([info.path.endsWith("/real/f"), info.mode.toString(8)]).toEqual([true, "751"]);
    expect(await readPlanted(env, "real/f")).toBe("2\n");
    expect(getOrThrow(await env.files.list("real")).entries).toHaveLength(1);
    expect(getOrThrow(await env.files.list(".")).entries.find(({ name }) => name === "link")?.kind).toBe("link");
  });

  test("[T8] write refuses a folder, a pipe and half a character, and changes nothing", async () => {
    const { env } = stage;
    getOrThrow(await env.exec("mkdir below; mkfifo pipe", {}));

    for (const path of ["below", "pipe"]) {
      const { error } = await runTool(createWriteTool(), env, { path, content: "x" });
      expect([path, error]).toMatchObject([path, { code: "not_a_file" }]);
    }
    const torn = await runTool(createWriteTool(), env, { path: "new", content: "\ud83d" });
    expect(torn.error).toMatchObject({ code: "invalid_text" });
    expect(await env.files.stat("new")).toMatchObject({ ok: false, error: { code: "file_not_found" } });
  });

  test("[T8] edit keeps line ends, byte order mark and bytes that are no text, and shows the difference", async () => {
    const { env } = stage;
    await plantFiles(env, { "w.txt": Buffer.from("\xef\xbb\xbfone\r\ntwo\r\n\xff\r\nlast", "latin1") });

    const run = await runTool(createEditTool(), env, {
      path: "w.txt",
      edits: [
        { oldText: "one\ntwo", newText: "1\n2\n3" },
        { oldText: "last", newText: "end" },
      ],
    });

    expect(run.error).toBeUndefined();
    expect(await readPlanted(env, "w.txt")).toBe("\xef\xbb\xbf1\r\n2\r\n3\r\n\xff\r\nend");
    expect(run.text()).toContain("+3\n");
  });

  test.each([
    [[{ oldText: "  b", newText: "x" }], "text_not_found", "Line 2 differs from it only in white space"],
    [[{ oldText: "a", newText: "x" }], "text_not_unique", "from lines 1, 4"],
    [
      [
        { oldText: "b\nc", newText: "x" },
        { oldText: "c", newText: "y" },
      ],
      "edits_overlap",
      "edits[0] and edits[1] both change line 3",
    ],
    [[{ oldText: "b", newText: "b" }], "nothing_changed", "the file is as it was"],
  ])("[T8] an edit that does not fit changes nothing and says why: %j", async (edits, code, words) => {
    const { env } = stage;
    await plantFiles(env, { f: "a\nb\nc\na\n" });

    const { error } = await runTool(createEditTool(), env, { path: "f", edits });

    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(await readPlanted(env, "f")).toBe("a\nb\nc\na\n");
  });

  test("[T8] changes of one file at the same time all land, under whatever name", async () => {
    const { env } = stage;
    await plantFiles(env, {
      f: Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join(""),
      link: { linkTo: "f" },
    });
    const tool = createEditTool();

    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const path = index % 2 === 0 ? "./f" : "link";
        return runTool(tool, env, { path, edits: [{ oldText: `<${index}>`, newText: `(${index})` }] });
      }),
    );

    expect(runs.map(({ error }) => error)).toEqual(runs.map(() => undefined));
    expect(await readPlanted(env, "f")).toBe(Array.from({ length: 20 }, (_, index) => `(${index})\n`).join(""));
  });

  test("[T8] a file that others change while it is edited is read anew, and given up when they do not stop", async () => {
    const { env } = stage;
    await plantFiles(env, { f: "one two\n" });
    const edits = [{ oldText: "two", newText: "2" }];

    const once = await runTool(createEditTool(), changedByOthers(env, ["one two three\n"]), { path: "f", edits });
    const after = await readPlanted(env, "f");
    await plantFiles(env, { f: "one two\n" });
    const always = await runTool(
      createEditTool(),
      changedByOthers(env, ["two a", "two b", "two c", "two d", "two e"]),
      {
        path: "f",
        edits,
      },
    );

    expect([once.error, after]).toEqual([undefined, "one 2 three\n"]);
    expect(always.error).toMatchObject({ code: "file_changed" });
    expect(await readPlanted(env, "f")).toBe("two d");
  });
});

describe("in process", () => {
  const stage = useToolEnv(inProcess);

  test("[T8] read counts the lines of a huge file only so far, and says so", async () => {
    const { env } = stage;
    const line = "0123456789".repeat(6);
    getOrThrow(await env.exec(`yes ${line} | head -c 80000000 > f`, {}));

    const run = await runTool(createReadTool(), env, { path: "f", limit: 1 });

    expect(run.notice()).toMatch(/^\[Line 1 of more than \d+ shown. Go on with offset 2.\]$/);
  });
});

/** An env in which somebody else writes to a file whenever it was read. */
function changedByOthers(env: ExecutionEnv, contents: string[]): ExecutionEnv {
  return {
    ...env,
    files: {
      ...env.files,
      async read(path, options) {
        const read = await env.files.read(path, options);
        const content = contents.shift();
        if (content !== undefined) getOrThrow(await env.files.write(path, Buffer.from(content)));
        return read;
      },
    },
  };
}
