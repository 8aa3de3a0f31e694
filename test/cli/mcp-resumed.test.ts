import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { identifyProcess } from "../../src/cli/session/process-identity.js";
import { isCi, skipReason } from "../support/machine-needs.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { overStdio } from "./support/mcp-clients.js";
import type { Fields, McpClient } from "./support/mcp-clients.js";

// Sessions of MCP clients as others come to them: with `attach`, with `resume`, in a browser, and as the next client.

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage({ hosted: true });
});
afterEach(() => stage[Symbol.dispose]());

const hosted = { hosted: true } as const;
const WAIT = { waitMs: 60_000 };
const untilGo = "while [ ! -e go ]; do sleep 0.02; done";
const letGo = (): void => writeFileSync(join(stage.home, "go"), "");

interface Begun {
  readonly session: string;
  readonly ids: readonly unknown[];
}

/** Two commands side by side, each of which has given a line and goes on until it may end. */
async function beginTwo(client: McpClient): Promise<Begun> {
  const begin = (name: string): Promise<Fields> =>
    client.call("bash", { command: `echo ${name}1; ${untilGo}; echo ${name}2`, background: true });
  const begun = [await begin("a"), await begin("b")];
  for (const { id } of begun) await client.call("bash_read", { id, ...WAIT });
  return { session: String(begun[0]?.["session"]), ids: begun.map(({ id }) => id) };
}

async function killServer(session: string): Promise<void> {
  const { pid } = JSON.parse(readFileSync(join(stage.home, "state/run", `${session}.json`), "utf8")) as { pid: number };
  process.kill(pid, "SIGKILL");
  await expect.poll(() => identifyProcess(pid), { timeout: 30_000 }).toBeUndefined();
}

async function storedTexts(session: string): Promise<unknown[]> {
  const { stdout } = await stage.start(["show", session, "--json"]).ended;
  const entries = parseLines(stdout).flatMap(({ entry }) => (entry === undefined ? [] : [entry as Fields]));
  return entries.filter(({ type }) => type === "tool").map(({ output }) => (output as { content: unknown }).content);
}

const twoResults = [[{ type: "text", text: "a1\na2\n" }], [{ type: "text", text: "b1\nb2\n" }]];

test("[G9] [R14] [R18] calls of a server that was killed with -9 are taken up by resume, as attach had shown them side by side", async () => {
  await using client = await overStdio(stage, hosted);
  const { session, ids } = await beginTwo(client);
  const attached = stage.start(["attach", session]);
  await attached.said(/==> bash echo a1.*<==\na1\n==> bash echo b1.*<==\nb1\n/);

  await killServer(session);
  const resumed = stage.start(["resume", session]);
  await resumed.said(/==> bash echo a1.*<==\na1\n==> bash echo b1.*<==\nb1\n/);
  letGo();
  const ended = await resumed.ended;
  const seen = await attached.ended;
  await using next = await overStdio(stage, { ...hosted, args: ["--session", session] });
  const read = await Promise.all(ids.map((id) => next.call("bash_read", { id })));

  expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/\na2\n/) });
  expect(ended.stdout).toMatch(/\nb2\n/);
  expect(seen.code).toBe(0);
  expect(["a1", "a2", "b1", "b2"].map((line) => seen.stdout.split(`\n${line}\n`).length)).toEqual([2, 2, 2, 2]);
  const stored = await storedTexts(session);
  expect(stored).toHaveLength(2);
  expect(stored).toEqual(expect.arrayContaining(twoResults));
  expect(read.map(({ status, text }) => [status, text])).toEqual([
    ["exited", "a1\na2\n"],
    ["exited", "b1\nb2\n"],
  ]);
});

test.runIf(isCi)(
  "[G9] calls of a server that was killed with -9 are taken up by the next one, which records their whole results",
  async () => {
    await using client = await overStdio(stage, hosted);
    const { session, ids } = await beginTwo(client);

    await killServer(session);
    await using next = await overStdio(stage, hosted);
    const joined = await next.call("bash", { command: "echo joined" });
    letGo();
    const rest = await Promise.all(ids.map((id) => next.call("bash_read", { id, afterLine: 1, ...WAIT })));

    expect(joined["session"]).toBe(session);
    expect(rest.map(({ text }) => text)).toEqual(["a2\n", "b2\n"]);
    await expect.poll(() => storedTexts(session), { timeout: 30_000 }).toHaveLength(3);
    expect(await storedTexts(session)).toEqual(expect.arrayContaining(twoResults));
  },
);

test("[G1] [R20] with --web results say where the page is, which shows the session to who has its token", async () => {
  await using client = await overStdio(stage, { args: ["--web"] });

  const { session, watch } = await client.call("bash", { command: "echo seen" });
  const [, origin = "", token = ""] = /^(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)$/.exec(String(watch)) ?? [];
  const get = (path: string, headers = {}): Promise<Response> => fetch(`${origin}${path}`, { headers });
  const page = await get("/");
  const entries = `/api/sessions/${String(session)}/lanes/main/entries`;
  const shown = await get(entries, { authorization: `Bearer ${token}` });
  const stranger = await get(entries);

  expect(page.headers.get("content-type")).toContain("text/html");
  expect(await shown.text()).toContain("seen\\n");
  expect(stranger.status).toBe(401);
});

const lack = skipReason("bwrap");

describe.skipIf(lack !== undefined)(`under bubblewrap ${lack ?? ""}`, () => {
  test("[G4] [G11] [G12] with --sandbox the whole output of another session of the root is read, while it runs and from its file", async () => {
    const options = { hosted: true, args: ["--sandbox"] } as const;
    await using first = await overStdio(stage, options);
    await using second = await overStdio(stage, options);
    const { id, session } = await first.call("bash", {
      command: `seq 1 20000; ${untilGo}; echo end`,
      background: true,
    });
    await second.call("bash", { command: "true" });

    const last = await second.call("bash_read", { id, afterLine: 19_999, ...WAIT });
    const early = await second.call("bash_read", { id, afterLine: 100, maxBytes: 8 });
    const spill = String(early["spillPath"]);
    const bySpill = await second.call("read", { path: spill, offset: 101, limit: 2 });
    const byCommand = await second.call("bash", { command: `cat ${spill}` });
    letGo();
    const end = await second.call("bash_read", { id, afterLine: 20_000, ...WAIT });

    expect(last).toMatchObject({ text: "20000\n", status: "running", session });
    expect(early["text"]).toBe("101\n102\n");
    expect(statSync(spill).isFile()).toBe(true);
    // What commands and tools see of the state is their own session's.
    expect(bySpill["notice"]).toContain("does not exist");
    expect(byCommand["exitCode"]).not.toBe(0);
    expect(end["text"]).toBe("end\n");
    expect(existsSync(join(stage.home, "go"))).toBe(true);
  });
});
