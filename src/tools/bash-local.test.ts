import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocalEnv } from "../exec/index.js";
import type { LocalEnv, ShellOutputUpdate } from "../exec/index.js";
import type { Json } from "../protocol/index.js";
import { createBashTool } from "./bash.js";
import { bytes } from "./fixtures/reference-window.js";
import { runTool } from "./fixtures/run-tool.js";
import type { ToolRun } from "./fixtures/run-tool.js";

// bash in a real env: what only a shell can show. The rest is in bash.test.ts.

let folder: string;
let env: LocalEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "spillway-bash-"));
  env = createLocalEnv({ cwd: folder, environment: process.env, spillFolder: join(folder, "spill") });
});

afterAll(async () => {
  await env.close();
  await rm(folder, { recursive: true });
});

const run = (params: Json): Promise<ToolRun> => runTool(createBashTool(), env, params);

test("[T8] a command's output is there with its totals", async () => {
  const { text, sink, notice, error } = await run({ command: "pwd; printf 'no newline'" });

  expect(text()).toBe(`${folder}\nno newline`);
  expect(sink.snapshot().truncation).toMatchObject({ truncated: false, totalLines: 2, totalBytes: folder.length + 11 });
  expect([notice(), error]).toEqual([undefined, undefined]);
});

test("[T4] O08: of one large JSON document the text is a clean end, and the notice names the file that has all of it", async () => {
  const command = `awk 'BEGIN { printf "{\\"items\\":["; for (i = 0; i < 20000; i++) printf "%d,", i * 7; print "0]}" }'`;
  const { text, notice, sink } = await run({ command });
  const { spillPath } = sink.snapshot().details as { spillPath: string };
  const whole = await readFile(spillPath, "utf8");

  expect(JSON.parse(whole)).toHaveProperty("items.length", 20_001);
  expect(whole.endsWith(text())).toBe(true);
  expect(bytes(text())).toBeLessThanOrEqual(51_200);
  expect(notice()).toBe(
    `[The end of line 1 of 1 shown, which has ${whole.length} bytes; ` +
      `${whole.length - bytes(text())} of ${whole.length} bytes left out. The whole output is in ${spillPath}]`,
  );
});

test("[T4] O06: a giant line of wide characters without a newline is cut between characters and flagged", async () => {
  const { text, sink, notice } = await run({ command: `for i in $(seq 200); do printf '%997s€' x; done` });

  expect(text().isWellFormed()).toBe(true);
  expect(text()).not.toContain("\uFFFD");
  expect(bytes(text())).toBeLessThanOrEqual(51_200);
  expect(sink.snapshot().truncation).toMatchObject({ totalLines: 1, totalBytes: 200_000, partialLineBytes: 200_000 });
  expect(notice()).toContain("The end of line 1 of 1 shown, which has 200000 bytes");
});

test("[T4] O30: a timeout keeps what was printed, and so does an abort", async () => {
  const timedOut = await run({ command: "echo keep-me; sleep 60", timeout: 1 });
  const call = new AbortController();
  const stopping: LocalEnv = {
    ...env,
    exec: (command, options, context) => {
      const onUpdate = (update: ShellOutputUpdate): void => {
        options.onUpdate?.(update);
        call.abort(new Error("the user stopped it"));
      };
      return env.exec(command, { ...options, onUpdate }, context);
    },
  };
  const aborted = await runTool(
    createBashTool(),
    stopping,
    { command: "echo keep-me; sleep 60" },
    { signal: call.signal },
  );

  expect([timedOut.text(), aborted.text()]).toEqual(["keep-me\n", "keep-me\n"]);
  expect(timedOut.notice()).toBe("Command timed out after 1 s");
  expect(aborted.notice()).toMatch(/^Command was aborted after \d+\.\d s: the user stopped it$/);
});

test("[T4] a signal and an exit code are told apart", async () => {
  const killed = await run({ command: "echo before; kill -SEGV $$" });
  const failed = await run({ command: "echo before; exit 3" });

  expect([killed.text(), failed.text()]).toEqual(["before\n", "before\n"]);
  expect(killed.notice()).toBe("Command was ended by SIGSEGV");
  expect(failed.notice()).toBe("Command exited with code 3");
});

test("[T4] processes that a command leaves running are named in the notice, with where their output goes", async () => {
  const { notice, error } = await run({ command: "sleep 300 >/dev/null 2>&1 & echo started" });

  expect(error).toBeUndefined();
  expect(notice()).toMatch(
    /^Left running: process \d+ \(sleep 300\)\. What they print goes to \S+\/exec_[a-z0-9]+\.after\.log$/,
  );
});
