import { getOrThrow } from "../../exec/index.js";
import { createFollower } from "./stage.js";
import type { ExecCase } from "./stage.js";

export const stopCases: readonly ExecCase[] = [
  {
    title: "[X11] an exit code is a result, and what was printed survives it",
    async run({ env, assert }) {
      const follower = createFollower();
      const result = getOrThrow(await env.exec("echo before; exit 3", follower));
      assert.deepEqual([result.exitCode, result.signal, result.truncation.totalBytes], [3, null, 7]);
      assert.equal(follower.text, "before\n");
    },
  },
  {
    title: "[X11] a command that dies of a signal has failed, and its output is there",
    async run({ env, assert, fails, tellsSignals }) {
      const call = env.exec("echo before; kill -9 $$", {});
      if (!tellsSignals) {
        const { exitCode, truncation } = getOrThrow(await call);
        assert.deepEqual([exitCode, truncation.totalBytes], [128 + 9, 7]);
        return;
      }
      const { result } = await fails("signal", call);
      assert.deepEqual([result?.exitCode, result?.signal, result?.truncation.totalBytes], [null, "SIGKILL", 7]);
    },
  },
  {
    title: "[X11] a timeout stops the whole tree and keeps what was printed",
    async run({ env, assert, fails }) {
      const command = "echo before; sleep 300 & sleep 300; echo after";
      const { result } = await fails("timeout", env.exec(command, { timeout: 0.5 }));
      assert.deepEqual([result?.truncation.totalBytes, result?.survivors], [7, []]);
      assert.deepEqual(await env.list(), []);
    },
  },
  {
    title: "[X11] an abort stops the whole tree and keeps what was printed",
    async run({ env, assert, fails }) {
      const aborting = new AbortController();
      const follower = createFollower();
      const call = env.exec("echo before; sleep 300 & sleep 300", follower, { signal: aborting.signal });
      await follower.shows("before");
      aborting.abort();
      const { result } = await fails("aborted", call);
      assert.deepEqual([result?.truncation.totalBytes, result?.survivors], [7, []]);
      assert.deepEqual(await env.list(), []);
    },
  },
  {
    title: "[X11] a call that was aborted before it began runs nothing",
    async run({ env, fails }) {
      await fails("aborted", env.exec("touch proof", {}, { signal: AbortSignal.abort() }));
      await fails("file_not_found", env.files.stat("proof"));
    },
  },
  {
    title: "[X11] a folder that is not there is a failed start; nothing ran and nothing is listed",
    async run({ env, assert, fails }) {
      const { result } = await fails("spawn_failed", env.exec("true", { cwd: "missing" }));
      assert.equal(result, undefined);
      assert.deepEqual(await env.list(), []);
    },
  },
  {
    title: "[X11] what cannot be asked is refused and says why",
    async run({ env, fails }) {
      await fails("invalid_argument", env.exec(" ", {}));
      await fails("invalid_argument", env.exec("a\0b", {}));
      await fails("invalid_argument", env.exec("true", { timeout: -1 }));
      await fails("invalid_argument", env.exec("true", { env: { "A=B": "c" } }));
      await fails("invalid_argument", env.exec("true", { capture: { limits: { maxBytes: 1 } } }));
    },
  },
  {
    title: "[X12] the plan is told before anything runs, and whoever rejects it stops the start",
    async run({ env, assert, fails }) {
      const told: string[] = [];
      const prepared = async ({
        executionId,
        spillPath,
      }: {
        executionId: string;
        spillPath?: string;
      }): Promise<void> => {
        const proof = await env.files.stat("proof");
        told.push(executionId, proof.ok ? "ran" : "did not run", spillPath === undefined ? "no spill" : "spill");
      };
      const capture = { spill: true };
      const result = getOrThrow(await env.exec("touch proof", { capture }, { prepared }));
      assert.deepEqual(told, [result.executionId, "did not run", "spill"]);
      getOrThrow(await env.files.remove("proof"));

      const refusing = { prepared: () => Promise.reject(new Error("no note can be made")) };
      const { message } = await fails("spawn_failed", env.exec("touch proof", {}, refusing));
      assert.equal(message.includes("no note can be made"), true);
      await fails("file_not_found", env.files.stat("proof"));
    },
  },
  {
    title: "[X12] a receiver that throws stops its execution and is told of it",
    async run({ env, assert, fails }) {
      const onUpdate = (): void => {
        throw new Error("cannot take it");
      };
      const { message } = await fails("internal", env.exec("echo up; sleep 300", { onUpdate }));
      assert.equal(message.includes("cannot take it"), true);
      assert.deepEqual(await env.list(), []);
    },
  },
  {
    title: "[X12] closing ends everything; later calls say so",
    async run({ env, fails }) {
      const follower = createFollower();
      const call = env.exec("echo up; sleep 300", follower);
      await follower.shows("up");
      await env.close();
      await fails("env_closed", call);
      await fails("env_closed", env.exec("true", {}));
      await env.close();
    },
  },
];
