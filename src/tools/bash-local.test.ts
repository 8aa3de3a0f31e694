import { mkdtemp, readFile, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLocalEnv } from "../exec/index.js";
import type { LocalEnv, ShellOutputUpdate } from "../exec/index.js";
import type { Json } from "../protocol/index.js";
import { createBashTool } from "./bash.js";
import { createReadTool } from "./read.js";
import { openSink } from "./fixtures/consumed-sink.js";
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

/** All that a model is told: every text block, the notice too. */
const told = ({ sink }: ToolRun): string =>
  sink
    .snapshot()
    .content.map((block) => (block.type === "text" ? block.text : ""))
    .join("\n");

const spillOf = ({ sink }: ToolRun): string => (sink.snapshot().details as { spillPath: string }).spillPath;

test("[T8] a command's output is there with its totals", async () => {
  const { text, sink, notice, error } = await run({ command: "pwd; printf 'no newline'" });

  expect(text()).toBe(`${folder}\nno newline`);
  expect(sink.snapshot().truncation).toMatchObject({ truncated: false, totalLines: 2, totalBytes: folder.length + 11 });
  expect([notice(), error]).toEqual([undefined, undefined]);
});

test.each(["tail", "both"] as const)(
  "[T4] O04: few long lines leave the last line and the exit code in what the model is told: %s",
  async (retain) => {
    const command =
      "for i in 1 2 3 4; do head -c 40000 /dev/zero | tr '\\0' x; echo; done; echo 'E: link step failed'; exit 2";

    const call = await runTool(createBashTool({ output: { retain } }), env, { command });

    expect(told(call)).toContain("x\nE: link step failed\n");
    expect(told(call)).toMatch(/\nCommand exited with code 2$/);
  },
);

test("[T4] O07: the notice has the exact totals of both pipes, and so has a call that goes on from there", async () => {
  const call = await run({ command: "yes out | head -c 3145728; yes error | head -c 2097152 >&2" });
  const resumed = openSink(undefined, call.sink.snapshot());
  resumed.sink.settle(new Error("interrupted"));

  expect(call.sink.snapshot().truncation).toMatchObject({ truncated: true, totalBytes: 5_242_880 });
  expect(call.notice()).toContain(`${5_242_880 - bytes(call.text())} of 5242880 bytes left out.`);
  expect(resumed.sink.snapshot().truncation).toEqual(call.sink.snapshot().truncation);
  expect(resumed.notice()).toBe(`${call.notice()}\ninterrupted`);
});

test("[T4] O08: of one large JSON document the text is a clean end, and the notice names the file that has all of it", async () => {
  const command = `awk 'BEGIN { printf "{\\"items\\":["; for (i = 0; i < 26600; i++) printf "%d,", i * 7; print "0]}" }'`;
  const call = await run({ command });
  const { text, notice } = call;
  const spillPath = spillOf(call);
  const whole = await readFile(spillPath, "utf8");

  expect(whole.length).toBeGreaterThan(170_000);
  expect(JSON.parse(whole)).toHaveProperty("items.length", 26_601);
  expect(whole.endsWith(text())).toBe(true);
  expect(bytes(text())).toBeLessThanOrEqual(51_200);
  expect(notice()).toBe(
    `[The end of line 1 of 1 shown, which has ${whole.length} bytes; ` +
      `${whole.length - bytes(text())} of ${whole.length} bytes left out. The whole output is in ${spillPath}]`,
  );
});

test("[T4] O06: a giant line of wide characters without a newline is cut between characters and flagged", async () => {
  const call = await run({ command: `for i in $(seq 200); do printf '%997s€' x; done` });
  const { text, sink, notice } = call;

  expect(text().isWellFormed()).toBe(true);
  expect(text()).not.toContain("\uFFFD");
  expect(bytes(text())).toBeLessThanOrEqual(51_200);
  expect(sink.snapshot().truncation).toMatchObject({ totalLines: 1, totalBytes: 200_000, partialLineBytes: 200_000 });
  expect(notice()).toContain("The end of line 1 of 1 shown, which has 200000 bytes");
  expect(await readFile(spillOf(call), "utf8")).toBe(`${" ".repeat(996)}x€`.repeat(200));
});

test("[T4] O06: of the same line with carriage returns for spaces the last segment is shown, and the file has it whole", async () => {
  const call = await run({ command: `for i in $(seq 200); do printf '%997s€' x; done | tr ' ' '\\r'` });

  expect(call.text()).toBe("x€");
  expect(await readFile(spillOf(call), "utf8")).toBe(`${"\r".repeat(996)}x€`.repeat(200));
});

test("[T4] output without any printable text is told with its size and the file that has it", async () => {
  const call = await run({ command: "head -c 3145728 /dev/zero" });

  expect(call.text()).toBe("");
  expect(call.notice()).toBe(
    "[The output has no printable text; the 3145728 bytes of the output, with control characters and overwritten lines, " +
      `are in ${spillOf(call)}]`,
  );
});

test("[T6] O15: progress frames are shown in place, and cost no text", async () => {
  const call = await run({
    command: "for i in $(seq 20000); do printf '\\rstep %d/20000' $i; done; printf '\\nDONE\\n'",
  });
  const edits = call.batches.flat().filter((op) => op[0] !== "r" && op[1][0] === "content" && op[1][1] === 0);
  const frames = Array.from({ length: 20_000 }, (_, index) => `\rstep ${index + 1}/20000`);

  expect(call.text()).toBe("step 20000/20000\nDONE\n");
  expect(edits.flatMap((op) => (op[0] === "a" ? op[2] : "another edit")).join("")).toBe(call.text());
  expect(call.batches.flat().some((op) => op[0] === "s" && op[1][0] === "progress")).toBe(true);
  expect(await readFile(spillOf(call), "utf8")).toBe(`${frames.join("")}\nDONE\n`);
  expect(call.notice()).toMatch(/^\[The text is whole; the \d+ bytes of the output, with .* overwritten lines, are in/);
});

test("[T4] X02: the line that says what failed is in what the model is told, behind any number of others", async () => {
  const call = await run({ command: "for i in $(seq 5000); do echo ok $i; done; echo '3 failed: a b c'; exit 1" });

  expect(call.text().endsWith("\nok 5000\n3 failed: a b c\n")).toBe(true);
  expect(call.notice()).toMatch(/^\[Lines 3002-5001 of 5001 shown; .*\nCommand exited with code 1$/);
});

test("[T4] X03: with the end kept, the notice says which lines are shown, and the first can be read in the file", async () => {
  const call = await run({ command: "echo 'ROOT CAUSE 17'; seq 1 200000; exit 1" });
  const first = await runTool(createReadTool(), env, { path: spillOf(call), limit: 1 });

  expect(call.text()).not.toContain("ROOT CAUSE");
  expect(call.notice()).toMatch(
    /^\[Lines 198002-200001 of 200001 shown; 198001 lines, \d+ of 1288909 bytes left out\./,
  );
  expect(first.text()).toBe("ROOT CAUSE 17\n");
});

test("[X20] X03: with both ends kept, the first error is in what the model is told, and the gap between is stated", async () => {
  const bash = createBashTool({ output: { retain: "both" } });
  const { notice, sink } = await runTool(bash, env, { command: "echo 'ROOT CAUSE 17'; seq 1 200000; exit 1" });

  const [start, end] = sink.snapshot().content;
  expect(start).toMatchObject({ text: expect.stringMatching(/^ROOT CAUSE 17\n1\n(?:\d+\n){398}$/) });
  expect(end).toMatchObject({ text: expect.stringMatching(/\n199999\n200000\n$/) });
  expect(notice()).toMatch(
    /^\[Lines 1-400 and 198402-200001 of 200001 shown; 198001 lines, \d+ of 1288909 bytes left out\. The whole output is in /,
  );
});

test.each([
  ["yes | head -n 2", undefined],
  [
    "set -o pipefail; yes | head -n 2",
    "Command exited with code 141: a program's reader had seen enough and closed the pipe (SIGPIPE), which is no crash",
  ],
])(
  "[T4] X13: a writer whose reader has gone is no crash, and under pipefail its code is explained: %s",
  async (command, said) => {
    const call = await run({ command });

    expect([call.text(), call.notice()]).toEqual(["y\ny\n", said]);
  },
);

test.each([
  ["quota", { maxSpillBytes: 65_536 }, "65536 of 2688895 bytes: its quota was reached"],
  ["write_failed", { spillFolder: "/dev/null/spill" }, "0 of 2688895 bytes: writing it failed"],
])(
  "[T4] O26: a spill that fails keeps window and exit code, is told with its reason, and the next command runs: %s",
  async (_reason, options, said) => {
    const place = { cwd: folder, environment: process.env, spillFolder: join(folder, "spill"), ...options };
    const failing = createLocalEnv(place);

    const call = await runTool(createBashTool(), failing, { command: "seq 1 400000; exit 4" });
    const next = await runTool(createBashTool(), failing, { command: "df -h ." });
    await failing.close();

    expect(call.text().endsWith("\n399999\n400000\n")).toBe(true);
    expect(call.notice()).toContain(said);
    expect(call.notice()).toMatch(/\nCommand exited with code 4$/);
    expect([next.text().includes("%"), next.error]).toEqual([true, undefined]);
  },
);

test("[T3] X04: 41 KB in 200 lines are shown whole, without a notice and without a file", async () => {
  const { sink, text } = await run({ command: "for i in $(seq 200); do printf '%0204d\\n' 0; done" });

  expect(text()).toBe(`${"0".repeat(204)}\n`.repeat(200));
  expect(sink.snapshot()).toMatchObject({ content: [{ type: "text" }], details: {}, truncation: { truncated: false } });
  expect(sink.snapshot().content).toHaveLength(1);
});

test("[T3] X05: a cap of 150 KB shows 60 KB whole, and says which cap it is", async () => {
  const bash = createBashTool({ output: { maxBytes: 153_600 } });
  const { sink, text } = await runTool(bash, env, { command: "for i in $(seq 1000); do printf '%059d\\n' 0; done" });

  expect(text()).toHaveLength(60_000);
  expect(sink.snapshot().content).toHaveLength(1);
  expect(sink.snapshot().truncation).toMatchObject({ truncated: false, totalBytes: 60_000, maxBytes: 153_600 });
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
  const { notice, error } = await run({ command: "sleep 300 & echo started" });

  expect(error).toBeUndefined();
  expect(notice()).toMatch(
    /^Still running, until the session is closed at the latest: process \d+ \(sleep 300\); what it prints goes to \S+\/exec_[a-z0-9]+\.after\.log$/,
  );
});

test("[T4] X14: bytes in another encoding are marks with a word about it, and text where the tool knows the encoding", async () => {
  const command = "printf '\\xc4\\xe3\\xba\\xc3\\n'";
  const call = await run({ command });
  const known = await runTool(createBashTool({ encoding: "gbk" }), env, { command });
  const unknown = await runTool(createBashTool({ encoding: "gpk" }), env, { command: "echo é" });

  expect([call.text(), call.notice()]).toEqual([
    expect.stringMatching(/^\uFFFD+\n$/),
    "Bytes that are no UTF-8 are shown as U+FFFD; iconv makes UTF-8 of text in another encoding.",
  ]);
  expect([known.text(), known.notice()]).toEqual(["你好\n", undefined]);
  expect([unknown.text(), unknown.notice()]).toEqual(["é\n", 'No encoding "gpk" can be read here: UTF-8 was taken.']);
});

test("[X18] [T4] X16: of a spill that was removed since, a model that reads it is told so, with its size and when", async () => {
  const spillPath = spillOf(await run({ command: "seq 1 30000" }));
  const weekOld = Date.now() / 1_000 - 8 * 86_400;
  await utimes(spillPath, weekOld, weekOld);
  const swept = await env.sweep({ keep: new Set() });

  const { error } = await runTool(createReadTool(), env, { path: spillPath });
  const other = await runTool(createReadTool(), env, { path: `${spillPath}.old` });

  expect(swept.removed).toMatchObject([{ path: spillPath, reason: "age", bytes: 168_894 }]);
  expect(error).toMatchObject({
    code: "spill_expired",
    message: expect.stringMatching(/168894 bytes, was removed at \d{4}-\d\d-\d\dT\S+Z: nothing had been written/),
  });
  expect(other.error).toMatchObject({ code: "file_not_found" });
});
