import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blocksOf, openMcpStage } from "./fixtures/mcp-stage.js";
import type { McpStage } from "./fixtures/mcp-stage.js";

let stage: McpStage;
beforeAll(async () => {
  stage = await openMcpStage();
  // So that results are held against the tools' output schemas.
  await stage.client.listTools();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Goes on until the file is there. */
const untilGo = "while [ ! -e go ]; do sleep 0.02; done";
const letGo = ({ root }: McpStage): void => writeFileSync(join(root, "go"), "");

test("[G1] there are six tools, each with an output schema, and a result holds all of itself twice", async () => {
  await using stage = await openMcpStage();
  const { tools } = await stage.client.listTools();
  const result = await stage.call("bash", { command: "echo one; echo two >&2" });

  expect(tools.map(({ name }) => name)).toEqual(["bash", "bash_list", "bash_read", "bash_kill", "read", "grep"]);
  expect(tools.every(({ outputSchema }) => outputSchema?.["type"] === "object")).toBe(true);
  expect(result.structuredContent).toMatchObject({
    text: "one\ntwo\n",
    notice: "",
    status: "exited",
    exitCode: 0,
    totalLines: 2,
    totalBytes: 8,
    truncated: false,
    spillPath: null,
    session: "session",
    watch: "spillway attach session",
  });
  expect(blocksOf(result)[0]).toBe("one\ntwo\n");
  expect(blocksOf(result).at(-1)).toMatch(
    /^\[exit code 0 in .* s; 2 lines, 8 bytes; exec_\S+\. To watch: spillway attach session\]$/,
  );
});

const hostile: readonly (readonly [name: string, args: object, field: string])[] = [
  ["bash", {}, "command"],
  ["bash", { command: 7 }, "command"],
  ["bash", { command: "" }, "command"],
  ["bash", { command: "a\0b" }, "command"],
  ["bash", { command: "é".repeat(70_000) }, "command"],
  ["bash", { command: "true", timeout: -1 }, "timeout"],
  ["bash", { command: "true", timeout: "1e9999" }, "timeout"],
  ["bash", { command: "true", cwd: "x".repeat(5_000) }, "cwd"],
  ["bash", { command: "true", background: "yes" }, "background"],
  ["bash", { command: "true", cmd: 1 }, "cmd"],
  ["bash", { command: "true", cwd: "/etc" }, "cwd"],
  ["bash", { command: "true", cwd: "../.." }, "cwd"],
  ["bash_read", { id: "nothing" }, "id"],
  ["bash_read", { id: "x", afterLine: -1 }, "afterLine"],
  ["bash_read", { id: "x", afterLine: 1e300 }, "afterLine"],
  ["bash_read", { id: "x", maxBytes: 0 }, "maxBytes"],
  ["bash_read", { id: "x", waitMs: 1e9 }, "waitMs"],
  ["bash_kill", { id: { $ne: 1 } }, "id"],
  ["bash_list", { all: true }, "all"],
  ["read", { path: 1 }, "path"],
  ["read", { path: "x", offset: 0 }, "offset"],
  ["grep", { pattern: "" }, "pattern"],
  ["grep", { pattern: "a", context: 1_000 }, "context"],
];

test("[G2] arguments that do not fit are refused by the names of their fields, and nothing is run", async () => {
  for (const [name, args, field] of hostile) {
    const result = await stage.call(name, args);

    expect([name, field, result.isError]).toEqual([name, field, true]);
    expect(blocksOf(result).join("\n")).toContain(field);
  }
  expect(await stage.env.list()).toEqual([]);
});

test("[G2] what cannot be opened is told by its code, and tried again", async () => {
  let tries = 0;
  await using failing = await openMcpStage({
    open: () => {
      tries += 1;
      return Promise.reject(Object.assign(new Error("held by process 7"), { code: "session_locked" }));
    },
  });

  const results = [await failing.call("bash", { command: "true" }), await failing.call("bash_list")];

  expect(results.map(blocksOf)).toEqual([["session_locked: held by process 7"], ["session_locked: held by process 7"]]);
  expect(tries).toBe(2);
});

test("[G3] a command that does not end with 0 is an error with all that it printed, in the folder that was asked for", async () => {
  mkdirSync(join(stage.root, "sub"));

  const failed = await stage.call("bash", { command: "pwd; exit 3", cwd: "sub" });
  const late = await stage.call("bash", { command: "echo begun; sleep 60", timeout: 0.3 });
  const killed = await stage.call("bash", { command: "kill -9 $$" });

  expect(failed.isError).toBe(true);
  expect(failed.structuredContent).toMatchObject({
    text: `${join(stage.root, "sub")}\n`,
    exitCode: 3,
    notice: "Command exited with code 3",
  });
  expect(late.structuredContent).toMatchObject({ text: "begun\n", status: "timed_out", exitCode: null });
  expect(killed.structuredContent).toMatchObject({ status: "signalled", signal: "SIGKILL" });
});

test("[G4] of a long output every line is to be had by its number, from its file", async () => {
  const { id, spillPath, truncated } = await stage.fields("bash", { command: "seq 1 50000" });

  const middle = await stage.fields("bash_read", { id, afterLine: 20_000, maxBytes: 20 });
  const next = await stage.fields("bash_read", { id, afterLine: middle["nextAfterLine"], maxBytes: 6 });
  const back = await stage.fields("bash_read", { id, afterLine: 9, maxBytes: 3 });
  const end = await stage.fields("bash_read", { id, afterLine: 49_999 });
  const beyond = await stage.fields("bash_read", { id, afterLine: 60_000, waitMs: 60_000 });

  expect(truncated).toBe(true);
  expect(middle).toMatchObject({ text: "20001\n20002\n20003\n", firstLine: 20_001, lastLine: 20_003, hasMore: true });
  expect(next).toMatchObject({ text: "20004\n", spillPath });
  expect(back).toMatchObject({ text: "10\n", nextAfterLine: 10 });
  expect(end).toMatchObject({ text: "50000\n", hasMore: false, totalLines: 50_000 });
  expect(beyond).toMatchObject({ text: "", firstLine: null, nextAfterLine: 60_000, status: "exited" });
});

test("[G4] [G6] what runs in the background is read as it comes, by waiting for it", async () => {
  await using stage = await openMcpStage();
  const command = `echo one; printf half; ${untilGo}; echo; printf two`;
  const begun = await stage.fields("bash", { command, background: true });
  const { id } = begun;

  const first = await stage.fields("bash_read", { id, waitMs: 60_000 });
  const waiting = stage.fields("bash_read", { id, afterLine: 1, waitMs: 60_000 });
  letGo(stage);
  const second = await waiting;
  const last = await stage.fields("bash_read", { id, afterLine: second["nextAfterLine"], waitMs: 60_000 });

  expect(begun).toMatchObject({ status: "running", exitCode: null, text: "" });
  expect(first).toMatchObject({ text: "one\n", status: "running", lastLine: 1 });
  expect(`${String(second["text"])}${String(last["text"])}`).toBe("half\ntwo");
  expect(last).toMatchObject({ status: "exited", exitCode: 0 });
});

test("[G4] a line that alone is too long is shown by its start, and the next one follows", async () => {
  const { id } = await stage.fields("bash", { command: "head -c 3000 /dev/zero | tr '\\0' x; echo; echo after" });

  const long = await stage.fields("bash_read", { id, maxBytes: 10 });
  const after = await stage.fields("bash_read", { id, afterLine: 1, maxBytes: 10 });

  expect(long).toMatchObject({ text: "xxxxxxxxxx", lastLine: 1, nextAfterLine: 1, hasMore: true });
  expect(long["notice"]).toContain("3001 bytes");
  expect(after).toMatchObject({ text: "after\n", hasMore: false });
});

test("[G5] what runs is listed and ended, and what has ended stays listed", async () => {
  await using stage = await openMcpStage();
  const { id } = await stage.fields("bash", { command: `sleep 61 & ${untilGo}`, background: true });
  await stage.fields("bash", { command: "exit 2" });

  const before = await stage.fields("bash_list");
  const killed = await stage.fields("bash_kill", { id });
  const read = await stage.fields("bash_read", { id, waitMs: 60_000 });
  const after = await stage.fields("bash_list");
  const again = await stage.call("bash_kill", { id });

  expect(before["executions"]).toMatchObject([
    { status: "exited", exitCode: 2 },
    { id, status: "running" },
  ]);
  expect(killed).toMatchObject({ id, status: "stopped", survivors: [] });
  expect(read).toMatchObject({ status: "stopped" });
  expect(after["executions"]).toMatchObject([{ exitCode: 2 }, { id, status: "stopped", pids: [] }]);
  expect(again.isError).toBeUndefined();
});

test("[G5] what a command left running is listed as left, with its output behind the command's own", async () => {
  await using stage = await openMcpStage();
  const { id } = await stage.fields("bash", { command: `(${untilGo}; echo later; sleep 62) & echo now` });

  const listed = await stage.fields("bash_list");
  const waiting = stage.fields("bash_read", { id, afterLine: 1, waitMs: 60_000 });
  letGo(stage);
  const later = await waiting;
  await stage.call("bash_kill", { id });

  expect(listed["executions"]).toMatchObject([{ id, status: "left" }]);
  expect(later).toMatchObject({ text: "later\n", firstLine: 2, status: "left" });
  expect(await stage.env.list()).toEqual([]);
});

test("[G6] 20 calls run side by side, and one beyond the limit is refused", async () => {
  await using small = await openMcpStage({ maxCalls: 20 });
  const meet = "touch $N; while [ $(ls | wc -l) -lt 20 ]; do sleep 0.02; done; echo $N";
  const commands = Array.from({ length: 20 }, (_, number) => `N=${number}; ${meet}`);

  const running = commands.map((command) => small.fields("bash", { command }));
  const refused = await small.call("bash", { command: "true" });
  const results = await Promise.all(running);

  expect(blocksOf(refused)[0]).toMatch(/^too_many_calls: 20 calls run/);
  expect(results.map(({ text }) => text)).toEqual(commands.map((_, number) => `${number}\n`));
});

test("[G7] who asks for it is told how far a call is, in numbers that grow", async () => {
  await using stage = await openMcpStage();
  const told: { progress: number; message?: string | undefined }[] = [];
  const command = `echo one; printf 'two of'; ${untilGo}; echo; echo three`;
  const call = stage.client.callTool(
    { name: "bash", arguments: { command } },
    { onprogress: ({ progress, message }) => told.push({ progress, message }) },
  );

  await expect.poll(() => told.at(-1)?.message, { timeout: 30_000 }).toBe("2 lines, 10 bytes: two of");
  letGo(stage);
  await call;

  const steps = told.map(({ progress }) => progress);
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
});

test("[G8] a call that is cancelled is stopped with its tree, and no other is", async () => {
  await using stage = await openMcpStage();
  const stop = new AbortController();
  const other = await stage.fields("bash", { command: untilGo, background: true });
  const cancelled = stage.client.callTool(
    { name: "bash", arguments: { command: "sleep 63 & sleep 64" } },
    { signal: stop.signal },
  );
  await expect.poll(() => stage.env.list(), { timeout: 30_000 }).toHaveLength(2);

  stop.abort();

  await expect(cancelled).rejects.toThrow("abort");
  await expect.poll(() => stage.env.list(), { timeout: 30_000 }).toMatchObject([{ executionId: other["id"] }]);
  const { executions } = await stage.fields("bash_list");
  expect(executions).toMatchObject([{ status: "stopped" }, { status: "running" }]);
});

test("[G9] a client that goes away ends nothing, and the next one finds what runs", async () => {
  await using stage = await openMcpStage();
  const leaving = await stage.connect();
  const call = leaving.callTool({ name: "bash", arguments: { command: `echo here; ${untilGo}; echo done` } });
  call.catch(() => undefined);
  await expect.poll(() => stage.env.list(), { timeout: 30_000 }).toHaveLength(1);

  await leaving.close();
  const { executions } = await stage.fields("bash_list");
  const [{ id }] = executions as [{ id: string }];
  const first = await stage.fields("bash_read", { id, waitMs: 60_000 });
  letGo(stage);
  const last = await stage.fields("bash_read", { id, afterLine: 1, waitMs: 60_000 });

  expect(first).toMatchObject({ text: "here\n", status: "running" });
  expect(last).toMatchObject({ text: "done\n" });
});

test("[G10] calls are calls of the session's lane", async () => {
  await using stage = await openMcpStage();
  writeFileSync(join(stage.root, "file"), "text\n");

  await stage.call("bash", { command: "echo one" });
  await stage.call("read", { path: "file" });
  await stage.call("grep", { pattern: "t.xt" });

  const { transcript } = stage.harness.lane().view();
  const calls = transcript.flatMap((entry) => (entry.type === "tool" ? [[entry.toolName, entry.args]] : []));
  expect(calls).toEqual([
    ["bash", { command: "echo one" }],
    ["read", { path: "file" }],
    ["grep", { pattern: "t.xt" }],
  ]);
});

test("[G11] read and grep stay below the root, whatever the path is made of; saved outputs can be read", async () => {
  writeFileSync(join(stage.root, "..", "secret"), "secret\n");
  writeFileSync(join(stage.root, "inside"), "inside\n");
  symlinkSync("../secret", join(stage.root, "link"));
  symlinkSync("..", join(stage.root, "up"));
  symlinkSync("inside", join(stage.root, "within"));
  const { spillPath } = await stage.fields("bash", { command: "seq 1 50000" });
  const outside = ["../secret", join(stage.root, "../secret"), "link", "up/secret", "/proc/self/environ", "/dev/null"];

  const refused = [
    ...(await Promise.all(outside.map((path) => stage.call("read", { path })))),
    ...(await Promise.all(["..", "link", "up", "/"].map((path) => stage.call("grep", { pattern: "secret", path })))),
  ];
  const within = await stage.fields("read", { path: "within" });
  const found = await stage.fields("grep", { pattern: "inside|secret" });
  const saved = await stage.fields("read", { path: spillPath, offset: 49_999 });

  expect(refused.every(({ isError }) => isError === true)).toBe(true);
  expect(JSON.stringify(refused)).not.toContain("secret\\n");
  expect(within).toMatchObject({ text: "inside\n" });
  expect(found).toMatchObject({ text: "inside:1:inside\n" });
  expect(saved).toMatchObject({ text: "49999\n50000\n", details: { totalLines: 50_000 } });
});
