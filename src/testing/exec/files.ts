import { getOrThrow, MAX_FILE_BYTES } from "../../exec/index.js";
import { createFollower } from "./stage.js";
import type { CaseContext, ExecCase } from "./stage.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function textOf({ files }: CaseContext["env"], path: string): Promise<string> {
  return new TextDecoder().decode(getOrThrow(await files.read(path)).bytes);
}

async function runText(env: CaseContext["env"], command: string): Promise<string> {
  const follower = createFollower();
  getOrThrow(await env.exec(command, follower));
  return follower.text;
}

export const fileCases: readonly ExecCase[] = [
  {
    title: "[X13] bytes of every value are written and read back, and commands see the same file",
    async run({ env, assert }) {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
      const written = getOrThrow(await env.files.write("all bytes", bytes));
      const read = getOrThrow(await env.files.read("all bytes"));
      assert.equal(Buffer.compare(read.bytes, bytes), 0);
      assert.deepEqual(read.info, written);
      assert.deepEqual([written.kind, written.bytes], ["file", 100_000]);
      assert.equal(await runText(env, "wc -c < 'all bytes' | tr -d ' '; ls -A"), "100000\nall bytes\n");
    },
  },
  {
    title: "[X13] a piece of a file is read without the rest, and nothing beyond its end",
    async run({ env, assert, fails }) {
      await env.exec("seq 1 300000 > numbers", {});
      const piece = getOrThrow(await env.files.read("numbers", { offset: 999_998, maxBytes: 14 }));
      assert.equal(new TextDecoder().decode(piece.bytes), "158730\n158731\n");
      assert.deepEqual([piece.offset, piece.info.bytes], [999_998, 1_988_895]);
      assert.equal(getOrThrow(await env.files.read("numbers", { offset: 5_000_000 })).bytes.length, 0);
      await fails("invalid_argument", env.files.read("numbers", { offset: -1 }));
      await fails("invalid_argument", env.files.read("numbers", { maxBytes: MAX_FILE_BYTES + 1 }));
    },
  },
  {
    title: "[X13] the largest write goes through, and one byte more is refused and changes nothing",
    async run({ env, assert, fails }) {
      getOrThrow(await env.files.write("large", new Uint8Array(MAX_FILE_BYTES).fill(200)));
      await fails("file_too_large", env.files.write("large", new Uint8Array(MAX_FILE_BYTES + 1)));
      const { bytes } = getOrThrow(await env.files.read("large"));
      assert.deepEqual([bytes.length, bytes[0], bytes.at(-1)], [MAX_FILE_BYTES, 200, 200]);
    },
  },
  {
    title: "[X13] a write keeps the mode and the links of what it replaces, and leaves nothing beside it",
    async run({ env, assert }) {
      await env.exec(
        "mkdir sub; echo old > sub/script; chmod 751 sub/script; ln -s sub/script link; ln -s sub/none to",
        {},
      );
      const info = getOrThrow(await env.files.write("link", encode("new\n")));
      assert.equal(info.mode, 0o751);
      assert.equal(getOrThrow(await env.files.stat("link")).path, info.path);
      getOrThrow(await env.files.write("to", encode("made\n")));
      const seen = await runText(env, "cat sub/script sub/none; test -L link && test -L to && ls -A sub");
      assert.equal(seen, "new\nmade\nnone\nscript\n");
    },
  },
  {
    title: "[X13] a file that is made has the mode that was asked for",
    async run({ env, assert }) {
      assert.equal(getOrThrow(await env.files.write("secret", encode("x"), { mode: 0o600 })).mode, 0o600);
      assert.equal(getOrThrow(await env.files.write("secret", encode("y"), { mode: 0o644 })).mode, 0o600);
    },
  },
  {
    title: "[X13] a write that expects what is not there any more changes nothing",
    async run({ env, assert, fails }) {
      const { version } = getOrThrow(await env.files.write("file", encode("one")));
      await fails("file_exists", env.files.write("file", encode("two"), { expect: "absent" }));
      const second = getOrThrow(await env.files.write("file", encode("two"), { expect: version }));
      await fails("file_changed", env.files.write("file", encode("three"), { expect: version }));
      await env.exec("echo more >> file", {});
      await fails("file_changed", env.files.write("file", encode("three"), { expect: second.version }));
      assert.equal(await textOf(env, "file"), "twomore\n");
      getOrThrow(await env.files.write("fresh", encode("made"), { expect: "absent" }));
      assert.equal(await textOf(env, "fresh"), "made");
      assert.equal(await runText(env, "ls -A"), "file\nfresh\n");
    },
  },
  {
    title: "[X13] whoever reads while a file is written again and again has one version whole",
    async run({ env, assert }) {
      const versions = ["a", "b"].map((letter) => letter.repeat(300_000));
      getOrThrow(await env.files.write("file", encode("a".repeat(300_000))));
      const writes = Array.from({ length: 6 }, (_, index) =>
        env.files.write("file", encode(versions[index % 2] ?? "")),
      );
      for (let read = 0; read < 6; read += 1) assert.equal(versions.includes(await textOf(env, "file")), true);
      for (const write of await Promise.all(writes)) getOrThrow(write);
    },
  },
  {
    title: "[X13] what is no file is not read and not written, and a pipe holds nobody up",
    async run({ env, fails }) {
      await env.exec("mkdir folder; mkfifo pipe", {});
      await fails("file_not_found", env.files.read("missing"));
      await fails("file_not_found", env.files.write("missing/file", encode("x")));
      await fails("not_a_file", env.files.read("folder"));
      await fails("not_a_file", env.files.write("folder", encode("x")));
      await fails("not_a_file", env.files.read("pipe"));
      await fails("not_a_file", env.files.write("pipe", encode("x")));
      await fails("invalid_argument", env.files.read(""));
      await fails("invalid_argument", env.files.read("a\0b"));
    },
  },
];
