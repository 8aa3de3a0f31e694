import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { identifyProcess } from "../../src/cli/session/process-identity.js";
import { listFiles, readText, repository } from "../support/files.js";
import { isCi, skipReason } from "../support/machine-needs.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import {
  mcpEnvironment,
  mcpWords,
  overHttp,
  overModernStdio,
  overOldHttp,
  overOldStdio,
  overStdio,
  program,
  startHttp,
} from "./support/mcp-clients.js";
import type { Fields } from "./support/mcp-clients.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

/** With an exec host of its own, in place of the stage that there is. */
function openHosted(): CliStage {
  stage[Symbol.dispose]();
  return openCliStage({ hosted: true });
}

const untilGo = "while [ ! -e go ]; do sleep 0.02; done";
const letGo = (): void => writeFileSync(join(stage.home, "go"), "");
const HUGE_BYTES = isCi ? 100_000_000 : 5_000_000;
const WAIT = { waitMs: 60_000 };

/** The server starts at a second's price, so that outside CI each transport and each SDK is there once or twice. */
const clients = [
  ["the client of version 2 over stdio", overStdio, true],
  ["the client of version 2 over HTTP", overHttp, isCi],
  ["the client of version 1 over HTTP", overOldHttp, true],
  ["the client of version 1 over stdio", overOldStdio, isCi],
  ["the client of version 2 over stdio, in the revision of 2026", overModernStdio, isCi],
] as const;

test.each(clients.filter(([, , isRun]) => isRun))(
  "[G1] [G6] [G7] [G8] [G14] %s calls, is told how far a call is, cancels, and calls 20 at a time",
  async (_name, connect) => {
    await using client = await connect(stage);
    const told: number[] = [];
    const stop = new AbortController();

    expect(await client.toolNames()).toHaveLength(6);
    const huge = await client.call(
      "bash",
      { command: `yes 'some line of a build' | head -c ${HUGE_BYTES}` },
      { onprogress: ({ progress }) => told.push(progress) },
    );
    const cancelled = client.call("bash", { command: `touch begun; ${untilGo}` }, { signal: stop.signal });
    cancelled.catch(() => undefined);
    await expect.poll(() => existsSync(join(stage.home, "begun")), { timeout: 30_000 }).toBe(true);
    stop.abort();
    await expect(cancelled).rejects.toThrow("abort");
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const results = await Promise.all(numbers.map((number) => client.call("bash", { command: `echo ${number}` })));

    expect(huge).toMatchObject({ exitCode: 0, totalBytes: HUGE_BYTES, truncated: true });
    expect(Buffer.byteLength(String(huge["text"]))).toBeLessThanOrEqual(51_200);
    expect(statSync(String(huge["spillPath"])).size).toBe(HUGE_BYTES);
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => a - b));
    expect(results.map(({ text }) => text)).toEqual(numbers.map((number) => `${number}\n`));
    await expect
      .poll(async () => statusesOf(await client.call("bash_list"))["running"], { timeout: 30_000 })
      .toBe(undefined);
    expect(statusesOf(await client.call("bash_list"))).toMatchObject({ stopped: 1, exited: 21 });
  },
);

test("[G9] [G10] a client killed with -9 in the middle finds its executions again, by their ids, and the session goes on", async () => {
  stage = openHosted();
  const options = { hosted: true } as const;
  const commands = {
    BACKGROUND: `echo one; ${untilGo}; echo two`,
    FOREGROUND: `echo begun > begun; ${untilGo}; echo three`,
  };
  const mortal = spawn(process.execPath, [join(repository, "test/fixtures/programs/mcp-client.mjs"), ...mcpWords()], {
    cwd: stage.home,
    env: mcpEnvironment(stage, { ...options, env: commands }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const begun = await new Promise<{ id: string; server: number }>((resolve) => {
    mortal.stdout.setEncoding("utf8").once("data", (line: string) => resolve(JSON.parse(line)));
  });
  await expect.poll(() => existsSync(join(stage.home, "begun")), { timeout: 30_000 }).toBe(true);

  mortal.kill("SIGKILL");
  await expect.poll(() => identifyProcess(begun.server), { timeout: 30_000 }).toBeUndefined();
  await using client = await overOldStdio(stage, options);
  const listed = await client.call("bash_list");
  const first = await client.call("bash_read", { id: begun.id, ...WAIT });
  const joined = await client.call("bash", { command: "echo joined" });
  letGo();
  const second = await client.call("bash_read", { id: begun.id, afterLine: 1, ...WAIT });
  const [other] = executionsOf(listed).filter(({ id }) => id !== begun.id);
  const third = await client.call("bash_read", { id: other?.["id"], ...WAIT });
  await expect.poll(async () => statusesOf(await client.call("bash_list")), { timeout: 30_000 }).toEqual({ exited: 3 });

  expect(executionsOf(listed).map(({ status }) => status)).toEqual(["running", "running"]);
  expect(first).toMatchObject({ text: "one\n", status: "running" });
  expect(second["text"]).toBe("two\n");
  expect(third["text"]).toBe("three\n");
  expect(joined["session"]).toBe(first["session"]);
  const stored = await stage.start(["show", String(joined["session"]), "--json"]).ended;
  const calls = parseLines(stored.stdout).filter(({ type }) => type === "entry");
  expect(JSON.stringify(calls)).toContain("three\\n");
});

test("[G9] what a client has begun another one with its root reads and ends, also when its server was killed with -9", async () => {
  stage = openHosted();
  const options = { hosted: true } as const;
  await using first = await overStdio(stage, options);
  const begun = await first.call("bash", { command: `echo one; ${untilGo}; echo two; sleep 60`, background: true });

  await using second = await overStdio(stage, options);
  const seen = await second.call("bash_read", { id: begun["id"], ...WAIT });
  const own = await second.call("bash", { command: "echo mine" });
  process.kill(readRunFile(String(begun["session"])).pid, "SIGKILL");
  letGo();
  const more = await second.call("bash_read", { id: begun["id"], afterLine: 1, ...WAIT });
  const killed = await second.call("bash_kill", { id: begun["id"] });
  const ended = await second.call("bash_read", { id: begun["id"], afterLine: 2, ...WAIT });

  expect(seen).toMatchObject({ text: "one\n", status: "running", session: begun["session"] });
  expect(own["session"]).not.toBe(begun["session"]);
  expect(more).toMatchObject({ text: "two\n", status: "running" });
  expect(killed).toMatchObject({ status: "stopped", survivors: [] });
  expect(ended).toMatchObject({ text: "", status: "stopped" });
});

test("[G10] calls are seen by attach as they run, the session is listed by its first, and one that is held is refused", async () => {
  await using client = await overStdio(stage, { args: ["--session", "mine"] });
  const { id } = await client.call("bash", { command: `echo here; ${untilGo}; echo there`, background: true });
  const attached = stage.start(["attach", "mine"]);

  await attached.said(/here/);
  const other = await stage.start(["mcp", "--session", "mine"]).ended;
  letGo();
  await attached.said(/there/);
  await client.call("bash_read", { id, afterLine: 1, ...WAIT });
  attached.kill("SIGINT");
  const listed = await stage.call(["sessions", "--json"]);

  expect(other).toMatchObject({ code: 1, stdout: "" });
  expect(other.stderr).toMatch(/mine.* process \d+/);
  expect(parseLines(listed.stdout)).toMatchObject([{ session: "mine", title: expect.stringContaining("echo here") }]);
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } },
};

test("[G10] [G13] a client that only looks leaves no session, and standard output has messages alone", async () => {
  const running = stage.start(["mcp"]);
  running.type(`this is no message\n${JSON.stringify(initialize)}\n`);
  await running.said(/serverInfo/);
  running.type(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`);
  await running.said(/bash_kill/);
  running.type("x".repeat(5_000_000));
  const ended = await running.ended;

  expect(parseLines(ended.stdout).map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
    ["2.0", 1],
    ["2.0", 2],
  ]);
  expect(ended.stderr).toContain("spillway: a client could not be served");
  expect((await stage.call(["sessions"])).stdout).toBe("");
});

test("[G9] a signal ends a server whose client is still there", async () => {
  const running = stage.start(["mcp"]);
  running.type(`${JSON.stringify(initialize)}\n`);
  await running.said(/serverInfo/);

  running.kill("SIGTERM");

  expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
});

test("[G14] the token lies in a file for its user alone, and is told nowhere else", async () => {
  const server = await startHttp(stage);
  const file = join(stage.home, "state", "mcp-token");
  const token = readFileSync(file, "utf8").trim();
  await server.stop();
  chmodSync(file, 0o644);
  const refused = await stage.start(["mcp", "--http"]).ended;

  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(token).toHaveLength(43);
  expect(server.said()).toContain(file);
  expect(server.said()).not.toContain(token);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("others can read it");
});

test("[G14] bad use starts nothing", async () => {
  const ended = await Promise.all(
    [["--port", "4711"], ["--token-file", "x"], ["--no-network"], ["--root", "nowhere"], ["--", "ls"]].map(
      (args) => stage.start(["mcp", ...args]).ended,
    ),
  );

  expect(ended.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2]);
});

const lack = skipReason("bwrap");

describe.skipIf(lack !== undefined)(`under bubblewrap ${lack ?? ""}`, () => {
  test("[G12] --sandbox holds commands to the root, and saved outputs are read all the same", async () => {
    for (const name of ["work", "other"]) mkdirSync(join(stage.home, name));
    await using client = await overStdio(stage, { args: ["--root", "work", "--sandbox", "--no-network"] });

    const { text } = await client.call("bash", {
      command: "touch here; touch ../other/there 2>/dev/null || echo held",
    });
    const { id } = await client.call("bash", { command: "seq 1 20000" });
    const page = await client.call("bash_read", { id, afterLine: 100, maxBytes: 4 });

    expect(text).toBe("held\n");
    expect(existsSync(join(stage.home, "work/here"))).toBe(true);
    expect(page["text"]).toBe("101\n");
  });
});

describe("the configurations", () => {
  const paths = listFiles("examples/mcp", ".json").concat(listFiles("examples/mcp", ".toml"));

  test.each(paths)("[G15] %s is quoted by the README, and starts the server", async (path) => {
    const text = readText(path);
    const { command, args } = readConfiguration(path, text.replace("/path/to/project", stage.home));
    // What an installed package is: a program of this name on the path.
    mkdirSync(join(stage.home, "bin"));
    writeFileSync(join(stage.home, "bin/spillway"), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
      mode: 0o755,
    });
    const env = mcpEnvironment(stage, { env: { PATH: `${join(stage.home, "bin")}:${process.env["PATH"] ?? ""}` } });
    const isRefused = args.includes("--sandbox") && lack !== undefined;

    const client = new Client({ name: "test", version: "0" });
    await client.connect(new StdioClientTransport({ command, args, env, cwd: stage.home, stderr: "ignore" }));
    const result = await client.callTool({ name: "bash", arguments: { command: "pwd" } });
    await client.close();

    expect(readText("README.md")).toContain(text.trimEnd());
    // Where bubblewrap is missing that is all it says; nothing is run without it.
    const answer = isRefused ? /^sandbox_unavailable/ : `${stage.home}\n`;
    expect(result.content).toMatchObject([{ text: expect.stringMatching(answer) }, ...(isRefused ? [] : [{}])]);
  });

  test("[G15] there are three", () => {
    expect(paths).toHaveLength(3);
  });
});

/** The one server of a configuration, as far as its format is used. */
function readConfiguration(path: string, text: string): { command: string; args: string[] } {
  if (path.endsWith(".json")) return JSON.parse(text).mcpServers.spillway;
  const valueOf = (key: string): string => new RegExp(`^${key} = (.*)$`, "m").exec(text)?.[1] ?? "";
  expect(text).toMatch(/^\[mcp_servers\.spillway\]\n/);
  return { command: JSON.parse(valueOf("command")), args: JSON.parse(valueOf("args")) };
}

function executionsOf({ executions }: Fields): readonly Fields[] {
  return executions as Fields[];
}

function statusesOf(listed: Fields): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of executionsOf(listed)) counts[String(status)] = (counts[String(status)] ?? 0) + 1;
  return counts;
}

function readRunFile(session: string): { readonly pid: number } {
  return JSON.parse(readFileSync(join(stage.home, "state/run", `${session}.json`), "utf8"));
}
