import { getOrThrow, MAX_FOLDER_ENTRIES } from "../../exec/index.js";
import type { ExecCase } from "./stage.js";

export const folderCases: readonly ExecCase[] = [
  {
    title: "[X13] a folder lists its entries by name, each for what it is",
    async run({ env, assert, fails }) {
      await env.exec("mkdir -p at/folder; touch at/file at/.hidden; ln -s nowhere at/link; mkfifo at/pipe", {});
      const { path, entries, truncated } = getOrThrow(await env.files.list("at"));
      assert.equal(path, getOrThrow(await env.files.stat("at")).path);
      assert.equal(truncated, false);
      assert.deepEqual(
        entries.map(({ name, kind }) => `${name} ${kind}`),
        [".hidden file", "file file", "folder folder", "link link", "pipe other"],
      );
      await fails("not_a_folder", env.files.list("at/file"));
      await fails("file_not_found", env.files.list("missing"));
    },
  },
  {
    title: "[X13] a listing is bounded and says so",
    async run({ env, assert }) {
      await env.exec(`seq 1 ${MAX_FOLDER_ENTRIES + 5} | xargs touch`, {});
      const { entries, truncated } = getOrThrow(await env.files.list("."));
      assert.deepEqual([entries.length, truncated, entries[0]?.name], [MAX_FOLDER_ENTRIES, true, "1"]);
    },
  },
  {
    title: "[X13] folders are made with their parents, also where they are there",
    async run({ env, assert, fails }) {
      assert.equal(getOrThrow(await env.files.makeFolder("a/b/c")).kind, "folder");
      getOrThrow(await env.files.makeFolder("a/b/c"));
      await env.exec("touch a/file", {});
      await fails("file_exists", env.files.makeFolder("a/file"));
      await fails("not_a_folder", env.files.makeFolder("a/file/below"));
    },
  },
  {
    title: "[X13] a rename moves a file over another; what is missing stays missing",
    async run({ env, assert, fails }) {
      await env.exec("echo one > one; echo two > two; mkdir full; touch full/x; mkdir other", {});
      assert.equal(getOrThrow(await env.files.rename("one", "two")).bytes, 4);
      await fails("file_not_found", env.files.stat("one"));
      assert.equal(new TextDecoder().decode(getOrThrow(await env.files.read("two")).bytes), "one\n");
      await fails("file_not_found", env.files.rename("one", "three"));
      await fails("folder_not_empty", env.files.rename("other", "full"));
    },
  },
  {
    title: "[X13] removing takes a link and not what it leads to, and a full folder only when told",
    async run({ env, fails }) {
      await env.exec("mkdir -p full/below; touch full/below/file; ln -s full link", {});
      getOrThrow(await env.files.remove("link"));
      await fails("folder_not_empty", env.files.remove("full"));
      getOrThrow(await env.files.stat("full/below/file"));
      getOrThrow(await env.files.remove("full", { recursive: true }));
      await fails("file_not_found", env.files.stat("full"));
      await fails("file_not_found", env.files.remove("full"));
    },
  },
];
