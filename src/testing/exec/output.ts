import { getOrThrow } from "../../exec/index.js";
import { createFollower } from "./stage.js";
import type { ExecCase } from "./stage.js";

const LINES = 200_000;
const BYTES = 1_288_895;

export const outputCases: readonly ExecCase[] = [
  {
    title: "[X2] updates open with a replace and fold to the output, and none follows the result",
    async run({ env, assert }) {
      const follower = createFollower();
      const result = getOrThrow(await env.exec("printf 'one\\n'; printf 'two\\n' >&2; printf three", follower));
      const told = follower.kinds.length;
      assert.equal(follower.kinds[0], "replace");
      assert.equal(follower.text.replace("two\n", ""), "one\nthree");
      assert.equal(follower.view?.progress, undefined);
      assert.deepEqual(follower.view?.truncation, result.truncation);
      assert.deepEqual([result.exitCode, result.signal], [0, null]);
      await env.exec("true", {});
      assert.equal(follower.kinds.length, told);
    },
  },
  {
    title: "[X3] output beyond the caps leaves its end and exact totals, with every kind of update on the way",
    async run({ env, assert }) {
      const follower = createFollower();
      const command = `seq 1 ${LINES / 2}; sleep 0.3; seq ${LINES / 2 + 1} ${LINES}`;
      const { truncation } = getOrThrow(await env.exec(command, follower));
      assert.deepEqual([truncation.totalLines, truncation.totalBytes], [LINES, BYTES]);
      assert.deepEqual([truncation.truncated, truncation.truncatedBy], [true, "lines"]);
      assert.equal(follower.view?.text, numbers(LINES - 1_999, LINES));
    },
  },
  {
    title: "[X8] a spill has every byte and lies where the env's files are",
    async run({ env, assert }) {
      const { spillPath = "", spill } = getOrThrow(await env.exec(`seq 1 ${LINES}`, { capture: { spill: true } }));
      assert.deepEqual(spill, { path: spillPath, bytes: BYTES, complete: true });
      const { info, bytes } = getOrThrow(await env.files.read(spillPath));
      assert.deepEqual([info.bytes, info.mode], [BYTES, 0o600]);
      assert.equal(new TextDecoder().decode(bytes), numbers(1, LINES));
    },
  },
  {
    title: "[X20] both ends are kept as two blocks",
    async run({ env, assert }) {
      const follower = createFollower();
      const capture = { limits: { retain: "both", maxLines: 10 } } as const;
      getOrThrow(await env.exec("seq 1 1000", { ...follower, onUpdate: follower.onUpdate, capture }));
      assert.equal(follower.view?.text, "1\n2\n");
      assert.equal(follower.view?.tail, numbers(993, 1_000));
    },
  },
  {
    title: "[X4] characters of every width arrive whole, and bytes that are none as U+FFFD",
    async run({ env, assert }) {
      const follower = createFollower();
      getOrThrow(await env.exec(`printf 'é € 😀 \\377 "\\\\ \\n'`, follower));
      assert.equal(follower.text, 'é € 😀 \uFFFD "\\ \n');
    },
  },
  {
    title: "[X4] X14: output in another encoding is text where that was said, and is told where it was not",
    async run({ env, assert }) {
      const [said, unsaid] = [createFollower(), createFollower()];
      const command = "printf '\\304\\343\\272\\303\\n'";
      const known = getOrThrow(await env.exec(command, { ...said, capture: { encoding: "gbk" } }));
      const { decoding } = getOrThrow(await env.exec(command, unsaid));
      assert.deepEqual([said.text, known.decoding], ["你好\n", undefined]);
      assert.deepEqual([unsaid.text.startsWith("\uFFFD"), decoding], [true, { encoding: "utf-8", replaced: true }]);
    },
  },
  {
    title: "[X11] a command has the folder and the variables that it was given",
    async run({ env, assert }) {
      const follower = createFollower();
      getOrThrow(await env.files.makeFolder("below"));
      const options = { cwd: "below", env: { WORD: "two words" } };
      getOrThrow(await env.exec('pwd; echo "$WORD"', { ...options, onUpdate: follower.onUpdate }));
      const { path } = getOrThrow(await env.files.stat("below"));
      assert.equal(follower.text, `${path}\ntwo words\n`);
    },
  },
];

function numbers(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, index) => `${first + index}\n`).join("");
}
