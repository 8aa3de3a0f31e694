import { getOrThrow } from "../../exec/index.js";
import { createFollower } from "./stage.js";
import type { CaseContext, ExecCase } from "./stage.js";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function startReader(env: CaseContext["env"], command: string): Promise<string> {
  return getOrThrow(await env.start(command, { input: "open" })).executionId;
}

export const inputCases: readonly ExecCase[] = [
  {
    title: "[X9] a command that was given no input finds its end at once",
    async run({ env, assert, fails }) {
      const follower = createFollower();
      getOrThrow(await env.exec("cat; echo end", follower));
      assert.equal(follower.text, "end\n");
      const { executionId } = getOrThrow(await env.start("sleep 300", {}));
      await fails("invalid_argument", env.writeInput(executionId, encode("x")));
      await fails("invalid_argument", env.exec("true", { input: "all" as "open" }));
    },
  },
  {
    title: "[X12] a command reads what it is given, as it comes, and then the end",
    async run({ env, assert }) {
      const id = await startReader(env, 'while read -r line; do echo "<$line>"; done; echo end');
      const follower = createFollower();
      const call = env.attach(id, follower);
      assert.deepEqual(getOrThrow(await env.writeInput(id, encode("one\n"))), { acceptedBytes: 4 });
      await follower.shows("<one>");
      await env.writeInput(id, encode("two"));
      assert.deepEqual(getOrThrow(await env.endInput(id)), { acceptedBytes: 7 });
      assert.deepEqual(getOrThrow(await env.endInput(id)), { acceptedBytes: 7 });
      getOrThrow(await call);
      assert.equal(follower.text, "<one>\nend\n");
    },
  },
  {
    title: "[X12] input is bytes, in the order of the writes, and /dev/stdin can be opened by name",
    async run({ env, assert }) {
      const id = await startReader(env, "cat /dev/stdin > got");
      const call = env.attach(id, {});
      const pieces = Array.from({ length: 8 }, (_, index) =>
        Uint8Array.from({ length: 40_000 }, (_unused, byte) => (byte * (index + 3)) % 256),
      );
      const writes = await Promise.all(pieces.map((piece) => env.writeInput(id, piece)));
      for (const write of writes) getOrThrow(write);
      await env.endInput(id);
      getOrThrow(await call);
      const { bytes } = getOrThrow(await env.files.read("got"));
      assert.equal(Buffer.compare(bytes, Buffer.concat(pieces)), 0);
    },
  },
  {
    title: "[X12] a write that is made again is taken once",
    async run({ env, assert, fails }) {
      const id = await startReader(env, "cat > got");
      // Kept, so that the execution is known to the end of this.
      const call = env.attach(id, { keep: true });
      await env.writeInput(id, encode("one"), { at: 0 });
      assert.deepEqual(getOrThrow(await env.writeInput(id, encode("one two"), { at: 0 })), { acceptedBytes: 7 });
      assert.deepEqual(getOrThrow(await env.writeInput(id, encode("two"), { at: 4 })), { acceptedBytes: 7 });
      await fails("invalid_argument", env.writeInput(id, encode("x"), { at: 9 }));
      await env.endInput(id);
      await fails("input_closed", env.writeInput(id, encode("x")));
      getOrThrow(await call);
      await env.collect(id);
      assert.equal(new TextDecoder().decode(getOrThrow(await env.files.read("got")).bytes), "one two");
    },
  },
  {
    title: "[X12] what a command does not read is bounded and holds nobody up",
    async run({ env, assert, fails }) {
      const id = await startReader(env, "sleep 300");
      const megabyte = new Uint8Array(1_000_000);
      const waiting = env.writeInput(id, megabyte);
      await fails("input_full", env.writeInput(id, megabyte));
      getOrThrow(await env.kill(id));
      await fails("input_closed", waiting);
      assert.deepEqual(
        (await env.list()).map(({ state }) => state),
        ["ended"],
      );
    },
  },
];
