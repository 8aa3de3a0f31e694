import { getOrThrow } from "../../exec/index.js";
import { createFollower, GATE } from "./stage.js";
import type { ExecCase } from "./stage.js";

export const executionCases: readonly ExecCase[] = [
  {
    title: "[X12] an execution goes on without a caller and is followed to its result",
    async run({ env, assert, fails }) {
      const started = getOrThrow(await env.start(`echo before; ${GATE}; echo after; exit 3`, {}));
      const [listed] = await env.list();
      assert.deepEqual(
        [listed?.executionId, listed?.state, listed?.cwd],
        [started.executionId, "running", (await env.files.stat(".").then(getOrThrow)).path],
      );
      const follower = createFollower();
      const call = env.attach(started.executionId, follower);
      await follower.shows("before");
      getOrThrow(await env.files.write("go", new Uint8Array()));
      const result = getOrThrow(await call);
      assert.deepEqual([result.executionId, result.exitCode], [started.executionId, 3]);
      assert.equal(follower.kinds[0], "replace");
      assert.equal(follower.text, "before\nafter\n");
      assert.deepEqual(await env.list(), []);
      await fails("execution_unknown", env.attach(started.executionId, {}));
    },
  },
  {
    title: "[X12] several follow one execution to the same view; one that leaves does not end it",
    async run({ env, assert, fails }) {
      const { executionId } = getOrThrow(await env.start(`seq 1 4000; ${GATE}; seq 4001 8000`, {}));
      const followers = [createFollower(), createFollower()];
      const calls = followers.map((follower) => env.attach(executionId, follower));
      const leaving = new AbortController();
      const leaver = createFollower();
      const left = env.attach(executionId, leaver, { signal: leaving.signal });
      await leaver.shows("4000\n");
      leaving.abort();
      await fails("aborted", left);
      getOrThrow(await env.files.write("go", new Uint8Array()));
      const results = (await Promise.all(calls)).map(getOrThrow);
      assert.deepEqual(
        results.map(({ truncation }) => truncation.totalLines),
        [8_000, 8_000],
      );
      assert.equal(followers[0]?.text, followers[1]?.text);
      assert.equal(followers[0]?.text.endsWith("\n8000\n"), true);
    },
  },
  {
    title: "[X12] a result that is kept is there until it is collected",
    async run({ env, assert, fails }) {
      const first = createFollower();
      const result = getOrThrow(await env.exec("seq 1 5000", { onUpdate: first.onUpdate, keep: true }));
      const { executionId } = result;
      assert.deepEqual(
        (await env.list()).map((info) => [info.executionId, info.state]),
        [[executionId, "ended"]],
      );
      const again = createFollower();
      assert.deepEqual(getOrThrow(await env.attach(executionId, { onUpdate: again.onUpdate, keep: true })), result);
      assert.deepEqual(again.view, first.view);
      await env.collect(executionId);
      assert.deepEqual(await env.list(), []);
      await fails("execution_unknown", env.attach(executionId, {}));
      await env.collect(executionId);
    },
  },
  {
    title: "[X12] the result of a start waits for whoever comes",
    async run({ env, assert }) {
      const { executionId } = getOrThrow(await env.start("echo one; exit 4", {}));
      while ((await env.list())[0]?.state !== "ended") await pause();
      const follower = createFollower();
      assert.equal(getOrThrow(await env.attach(executionId, follower)).exitCode, 4);
      assert.equal(follower.text, "one\n");
    },
  },
  {
    title: "[X12] kill stops the whole tree, and the result says so",
    async run({ env, assert, fails }) {
      const follower = createFollower();
      const { executionId } = getOrThrow(await env.start("echo up; sleep 300 & sleep 300", {}));
      const call = env.attach(executionId, follower);
      await follower.shows("up");
      assert.deepEqual(getOrThrow(await env.kill(executionId)), { executionId, survivors: [] });
      const { result } = await fails("aborted", call);
      assert.deepEqual([result?.truncation.totalBytes, result?.survivors], [3, []]);
    },
  },
  {
    title: "[X12] an id that nobody has is unknown, whatever is asked of it",
    async run({ env, fails }) {
      await fails("execution_unknown", env.attach("exec_nobody", {}));
      await fails("execution_unknown", env.kill("exec_nobody"));
      await fails("execution_unknown", env.writeInput("exec_nobody", new Uint8Array(1)));
      await env.collect("exec_nobody");
    },
  },
  {
    title: "[X10] processes that are left behind do not hold the call; they are listed, followed and killed",
    async run({ env, assert, fails }) {
      const follower = createFollower();
      const result = getOrThrow(await env.exec("(while :; do echo tick; sleep 0.1; done) & echo up", follower));
      const { executionId } = result;
      assert.equal(result.left.length > 0, true);
      const [listed] = await env.list();
      assert.deepEqual([listed?.executionId, listed?.state], [executionId, "left"]);
      const later = createFollower();
      const call = env.attach(executionId, later);
      await later.shows("tick\n");
      assert.deepEqual(getOrThrow(await env.kill(executionId)).survivors, []);
      getOrThrow(await call);
      await fails("execution_unknown", env.kill(executionId));
    },
  },
  {
    title: "[X12] whoever follows only the run has its result, though processes go on",
    async run({ env, assert }) {
      const { executionId } = getOrThrow(await env.start(`sleep 300 & ${GATE}; echo done`, {}));
      const follower = createFollower();
      const call = env.attach(executionId, { onUpdate: follower.onUpdate, runOnly: true, keep: true });
      getOrThrow(await env.files.write("go", new Uint8Array()));
      const result = getOrThrow(await call);
      assert.deepEqual([result.exitCode, result.left.length, follower.text], [0, 1, "done\n"]);
      assert.deepEqual(getOrThrow(await env.attach(executionId, { runOnly: true })), result);
      getOrThrow(await env.kill(executionId));
    },
  },
];

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}
