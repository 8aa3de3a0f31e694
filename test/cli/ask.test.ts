import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { repository } from "../support/files.js";
import { skipReason } from "../support/machine-needs.js";
import { startModelServer } from "../support/model-server/server.js";
import { answerWith } from "../support/model-server/turn.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliEnd, CliStage } from "./support/built-cli.js";
import { findSession, listState, readState } from "./support/sessions.js";

beforeAll(buildCli, 120_000);

const isCi = process.env["CI"] === "true";
const lack = skipReason("bwrap");

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

type Step = { readonly text: string } | { readonly call: string; readonly args: object };

/** A model that says this, one list of steps an answer. */
function script(...turns: readonly (readonly Step[])[]): string {
  const toStep = (step: Step): object =>
    "text" in step ? { type: "text", ...step } : { type: "toolCall", name: step.call, args: step.args };
  writeFileSync(
    join(stage.home, "model.json"),
    JSON.stringify({ version: 1, turns: turns.map((turn) => turn.map(toStep)) }),
  );
  return "script:model.json";
}

const ask = (...args: string[]): Promise<CliEnd> => stage.call(["ask", ...args]);
const touch: Step = { call: "bash", args: { command: "touch made; echo 'it is' made" } };

test("[R31] [R33] answers go to standard output, and what was called to standard error", async () => {
  const model = script([{ text: "I look.\n" }, touch], [{ text: "All is\nwell." }]);

  const { code, stdout, stderr } = await ask("--yes", "--model", model, "make it");

  expect([code, stdout]).toEqual([0, "I look.\n\nAll is\nwell.\n"]);
  expect(stderr).toMatch(/^bash touch made; .* · done · 1 line\n {2}it is made\n· completed · .* · session s_\S+\n$/);
});

test("[R32] a program is refused what changes something, and told what would allow it", async () => {
  const model = script([touch, { call: "ls", args: {} }], [{ text: "I may not." }]);

  const { code, stdout, stderr } = await ask("--model", model, "make it");

  expect([code, stdout]).toEqual([0, "I may not.\n"]);
  expect(stderr).toMatch(/refuses bash[^]*ls · done[^]*nobody could be asked about bash; allow it with --sandbox/);
  expect(stderr).not.toContain("it is made");
});

test("[R33] [R31] --json tells all of it as the wire does, and then the result", async () => {
  const { code, stdout } = await ask("--json", "--yes", "--model", script([touch], [{ text: "Done." }]), "make it");

  const lines = parseLines(stdout);
  expect(code).toBe(0);
  expect(lines.map(({ type }) => type)).toEqual(["open", ...lines.slice(2).map(() => "batch"), "result"]);
  expect(lines.at(-1)).toMatchObject({
    status: "completed",
    reason: null,
    text: "Done.",
    session: lines[0]?.["session"],
  });
});

test("[R31] what cannot be asked is said before a session is made", async () => {
  const none = await ask("hello");
  const wrong = await ask("--model", "claude", "hello");
  const silent = await ask("--model", script());

  expect([none.code, wrong.code, silent.code]).toEqual([125, 125, 125]);
  for (const said of ["--model", "SPILLWAY_MODEL", "ANTHROPIC_API_KEY", "SPILLWAY_OPENAI_KEY_COMMAND", "https://"]) {
    expect(none.stderr).toContain(said);
  }
  expect(wrong.stderr).toContain('not as "claude"');
  expect(silent.stderr).toContain("the prompt is missing");
  expect(listState(stage, "sessions")).toEqual([]);
});

test.runIf(isCi)("[R33] a model that is asked again is told of on standard error, each time once", async () => {
  const model = "script:again.json";
  const failing = { type: "error", code: "overloaded", message: "too many at once", times: 1 };
  const turns = [[failing, { type: "text", text: "Well." }]];
  writeFileSync(join(stage.home, "again.json"), JSON.stringify({ version: 1, turns }));

  const { code, stdout, stderr } = await ask("--model", model, "how is it?");

  expect([code, stdout]).toEqual([0, "Well.\n"]);
  expect(stderr.match(/the model is asked again \(1 of \d+ failed\): .*too many at once/g)).toHaveLength(1);
});

test("[R31] [R33] an answer that fails says why, once, and the code is 1", async () => {
  const { code, stdout, stderr } = await ask("--quiet", "--model", "anthropic:some-model", "hello");

  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /^spillway: There is no key for Anthropic\. Get one at https:\S+ and set ANTHROPIC_API_KEY.*\n$/,
  );
});

test("[R31] [R35] [M7] a server is asked with the text of standard input; the session holds its name and no key", async () => {
  await using server = await startModelServer();
  server.add(answerWith({ type: "text", text: "Good." }), answerWith({ type: "text", text: "Better." }));
  mkdirSync(join(stage.home, ".git"));
  writeFileSync(join(stage.home, "AGENTS.md"), "Use tabs.");
  const key = "sk-canary-4711";
  const env = { SPILLWAY_SERVER_KEY: key };

  const running = stage.start(["ask", "--quiet", "--model", `${server.baseUrl}#m`, "is it good?"], { env });
  running.type("a change\n");
  running.endInput();
  const first = await running.ended;
  const id = await findSession(stage);
  const next = stage.start(["ask", "--quiet", "--session", id, "and now?"], { env });
  next.endInput();
  const second = await next.ended;

  expect([first.code, first.stdout, second.stdout]).toEqual([0, "Good.\n", "Better.\n"]);
  const [asked, later] = server.requests;
  expect(asked?.headers["authorization"]).toBe(`Bearer ${key}`);
  const said = JSON.stringify(asked?.body["messages"]);
  expect(said).toContain("is it good?\\n\\na change\\n");
  expect(said).toMatch(/AGENTS\.md:\\n\\nUse tabs\./);
  expect(JSON.stringify(later?.body["messages"])).toMatch(/is it good\?[^]*Good\.[^]*and now\?/);
  const log = readState(stage, "sessions", `${id}.jsonl`);
  expect(log).toContain(`${server.baseUrl}#m`);
  expect(log).not.toContain(key);
});

test.runIf(isCi)("[R31] too much on standard input is refused", async () => {
  const running = stage.start(["ask", "--model", script([{ text: "x" }]), "what is this?"]);
  running.type("x".repeat(262_145));
  running.endInput();
  const { code, stderr } = await running.ended;

  expect(code).toBe(125);
  expect(stderr).toContain("more than 262144 bytes");
});

test("[R35] [R14] after a kill -9 resume lets the model go on, and tells it what was interrupted", async () => {
  const wait: Step = { call: "bash", args: { command: "echo up; sleep 613" } };
  const running = stage.start(["ask", "--yes", "--json", "--model", script([wait], [{ text: "I see." }]), "wait"]);
  running.endInput();
  await running.said(/up/);
  // What is shown is stored a second later.
  const id = await findSession(stage);
  running.kill("SIGKILL");
  await running.ended;

  const refused = await ask("--session", id, "more");
  const { code, stdout, stderr } = await stage.call(["resume", id]);

  expect(refused.stderr).toContain(`spillway resume ${id}`);
  expect([code, stdout]).toEqual([0, "I see.\n"]);
  expect(stderr).toMatch(/bash echo up; sleep 613 · interrupted/);
  expect(JSON.parse((await stage.call(["sessions", "--json"])).stdout)).toMatchObject({
    state: "completed",
    title: "wait",
  });
});

test.runIf(isCi)("[R31] [R3] Ctrl-C stops what runs and settles it", async () => {
  const wait: Step = { call: "bash", args: { command: "echo up; sleep 614" } };
  const running = stage.start(["ask", "--yes", "--json", "--model", script([wait], [{ text: "late" }]), "wait"]);
  running.endInput();
  await running.said(/up/);
  running.kill("SIGINT");
  const { code, stdout } = await running.ended;

  expect(code).toBe(130);
  expect(parseLines(stdout).at(-1)).toMatchObject({ type: "result", status: "aborted", reason: "stopped by Ctrl-C" });
});

test("[R32] [R13] run goes on in a session of ask, whatever its model may do", async () => {
  await ask("--quiet", "--model", script([{ text: "x" }]), "hello");

  const { code, stdout } = await stage.call([
    "run",
    "--quiet",
    "--session",
    await findSession(stage),
    "--",
    "echo mine",
  ]);

  expect([code, stdout]).toEqual([0, "mine\n"]);
});

test.skipIf(lack !== undefined)(
  `[R32] [R27] --sandbox allows what it holds, files included, and stays with the session ${lack ?? ""}`,
  async () => {
    for (const name of ["work", "other"]) mkdirSync(join(stage.home, name));
    // Not below the folder for temporary files, of which the sandbox has its own.
    const beyond = join(repository, ".spillway-beyond");
    const reach: Step = { call: "bash", args: { command: "touch here; touch ../other/out 2>/dev/null || echo held" } };
    const write: Step = { call: "write", args: { path: beyond, content: "x" } };
    const model = script([reach, write], [{ text: "one" }], [reach], [{ text: "two" }]);

    const first = await ask("--sandbox", "--cwd", "work", "--model", model, "go");
    const again = await ask("--session", await findSession(stage), "go on");

    expect([first.stdout, again.stdout]).toEqual(["one\n", "two\n"]);
    expect(first.stderr).toMatch(/ {2}held\n[^]*write \S+ · failed/);
    expect(again.stderr).toContain("  held\n");
    expect(
      [join(stage.home, "work/here"), join(stage.home, "other/out"), beyond].map((path) => existsSync(path)),
    ).toEqual([true, false, false]);
  },
);

test.runIf(isCi)(
  "[R35] [H8] a command in the exec host goes on without its model, and resume hands it the whole result",
  async () => {
    using hosted = openCliStage({ hosted: true });
    const wait = {
      type: "toolCall",
      name: "bash",
      args: { command: "echo up; while [ ! -e go ]; do sleep 0.05; done; echo over" },
    };
    const turns = [[wait], [{ type: "text", text: "It is over." }]];
    writeFileSync(join(hosted.home, "model.json"), JSON.stringify({ version: 1, turns }));
    const running = hosted.start(["ask", "--yes", "--json", "--model", "script:model.json", "wait"]);
    running.endInput();
    // Its text is stored then; what was said before holds the command's words too.
    await expect.poll(async () => (await hosted.call(["show"])).stdout, { timeout: 20_000 }).toContain("\nup\n");
    running.kill("SIGKILL");
    await running.ended;

    const resumed = hosted.start(["resume"]);
    resumed.endInput();
    writeFileSync(join(hosted.home, "go"), "");
    const { code, stdout, stderr } = await resumed.ended;

    expect([code, stdout]).toEqual([0, "It is over.\n"]);
    expect(stderr).toMatch(/bash echo up; .* · done · 2 lines\n {2}up\n {2}over\n/);
  },
);
