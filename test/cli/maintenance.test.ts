import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliEnd, CliStage } from "./support/built-cli.js";
import { findSession, listState } from "./support/sessions.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const spillway = (...args: string[]): Promise<CliEnd> => stage.call(args);

test("[R21] a session that is sound is verified beside its writer, and nothing is changed", async () => {
  const running = stage.start(["run", "--", "echo up; sleep 618"]);
  await running.said(/up/);
  const id = await findSession(stage);
  // The output is on disk then, and nothing more is written.
  await expect.poll(async () => (await spillway("show", id)).stdout, { timeout: 20_000 }).toContain("\nup\n");
  const contents = (): string[] => listState(stage, "sessions").map((name) => readSessionFile(name).toString());
  const before = contents();

  const verified = await spillway("verify", id);

  expect(contents()).toEqual(before);
  expect(verified.code).toBe(0);
  expect(verified.stdout).toMatch(new RegExp(`^${id}  sound\\n  ${id}\\.jsonl  sound, \\d+ good records, .*\\n`));
  running.kill("SIGINT");
  await running.ended;
});

test("[R21] [R22] damage is found with file, line and byte, repaired with the original kept, and the session goes on", async () => {
  await spillway("run", "--quiet", "--", "echo one");
  const id = await findSession(stage);
  await spillway("run", "--quiet", "--session", id, "--", "echo two");
  await spillway("run", "--quiet", "--", "echo sound");
  const name = `${id}.jsonl`;
  const offset = flip(name, "two");
  const damaged = readSessionFile(name);

  const verified = await spillway("verify");
  expect(verified.code).toBe(1);
  expect(verified.stdout).toMatch(
    new RegExp(`${id}  damaged\n  ${name}  damaged, .*\n    line \\d+ \\(byte ${offset}\\): its`),
  );
  expect(verified.stdout).toMatch(/\n?s_\w+ {2}sound\n/);
  const asJson = parseLines((await spillway("verify", id, "--json")).stdout);
  expect(asJson).toMatchObject([{ type: "verification", isSound: false, files: [{ problems: [{ offset }] }] }]);
  expect(await spillway("show", id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`spillway repair ${id}`),
  });

  const repaired = await spillway("repair", id);
  expect(repaired.code).toBe(0);
  expect(repaired.stdout).toMatch(/ \d+ commits saved, 1 line could not be saved\n[^]*kept as .*\.damaged-1\n$/);
  expect(readSessionFile(`${name}.damaged-1`).equals(damaged)).toBe(true);
  expect((await spillway("verify", id)).code).toBe(0);
  expect((await spillway("show", id)).stdout).toContain("\none\n");
  expect((await spillway("run", "--quiet", "--session", id, "--", "echo three")).stdout).toBe("three\n");
  expect((await spillway("repair", id)).stdout).toBe(`${id}: nothing is damaged, and nothing was changed\n`);
  await spillway("rm", id);
  expect(listState(stage, "sessions").filter((file) => file.startsWith(id))).toEqual([]);
});

test("[R21] a pipe in the place of a log is a finding like any other", async () => {
  await spillway("run", "--quiet", "--", "echo one");
  execFileSync("mkfifo", [join(stage.home, "state", "sessions", "pipe.jsonl")]);

  const verified = await spillway("verify");
  const listed = await spillway("sessions");

  expect(verified.code).toBe(1);
  expect(verified.stdout).toMatch(/pipe {2}damaged\n .*pipe\.jsonl is a named pipe, where only a file may be/);
  expect(verified.stdout).toMatch(/s_\w+ {2}sound\n/);
  expect(listed.stdout).toMatch(/pipe +damaged .*named pipe/);
});

test("[R23] a session is compacted to less, shows the same, and goes on; one that is run is refused", async () => {
  await spillway("run", "--quiet", "--", "echo one");
  const id = await findSession(stage);
  for (const word of ["two", "three"]) await spillway("run", "--quiet", "--session", id, "--", `echo ${word}`);
  const before = (await spillway("show", id, "--json")).stdout;

  const compacted = await spillway("compact", id, "--json");

  const [{ bytesBefore, bytesAfter } = {}] = parseLines(compacted.stdout);
  expect(Number(bytesAfter)).toBeLessThan(Number(bytesBefore));
  expect(bytesAfter).toBe(readSessionFile(`${id}.jsonl`).length);
  const entriesOf = (stdout: string): unknown[] => parseLines(stdout).slice(1);
  expect(entriesOf((await spillway("show", id, "--json")).stdout)).toEqual(entriesOf(before));
  expect((await spillway("compact", id)).stdout).toMatch(/^s_\w+: .* before, .* now\n$/);
  const running = stage.start(["run", "--session", id, "--", "echo up; sleep 619"]);
  await running.said(/up/);
  for (const command of ["compact", "repair"]) {
    const refused = await spillway(command, id);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`process ${running.pid}`)]);
  }
  running.kill("SIGINT");
  await running.ended;
});

test("[R24] a session is exported as Markdown that its output does not break, and as JSON with every entry", async () => {
  await spillway("run", "--quiet", "--", "printf '```\\n# no heading\\n'; exit 3");
  const id = await findSession(stage);

  const markdown = await spillway("export", id);
  const json = await spillway("export", id, "--format", "json");

  expect(markdown.code).toBe(0);
  expect(markdown.stdout).toMatch(/^# Session s_\w+\n[^]*\n> printf [^]*\n````text\n```\n# no heading\n[^]*\n````\n/);
  const document = JSON.parse(json.stdout) as { lanes: { entries: unknown[] }[] };
  const shown = parseLines((await spillway("show", id, "--json")).stdout).filter(({ type }) => type === "entry");
  expect(document).toMatchObject({ spillway: "session", version: 1, session: { session: id } });
  expect(document.lanes[0]?.entries).toEqual(shown.map(({ entry }) => entry));
});

test("[R21] [R22] [R23] [R24] a command whose reader has gone ends without a word", async () => {
  await spillway("run", "--quiet", "--", "echo one");
  const id = await findSession(stage);
  const commands = ["verify", "repair", "compact", "show"].flatMap((name) => [`${name} ${id}`, `${name} ${id} --json`]);
  commands.push(`export ${id}`, `export ${id} --format json`);

  const { stdout, stderr } = await stage.shell(
    commands.map((words) => `exec 3> >(exec true); wait $!; $SPILLWAY ${words} >&3; echo "code $?"`).join("\n"),
  );

  expect(stderr).toBe("");
  expect(stdout).toMatch(new RegExp(`^(code (0|141)\\n){${commands.length}}$`));
});

test("[R24] an exported file is for its user alone and replaces none", async () => {
  await spillway("run", "--quiet", "--", "echo one");
  const id = await findSession(stage);
  const file = join(stage.home, "session.md");

  expect((await spillway("export", id, "--output", "session.md")).code).toBe(0);
  const written = readFileSync(file, "utf8");
  const again = await spillway("export", id, "--output", "session.md", "--format", "json");

  expect(written).toBe((await spillway("export", id)).stdout);
  expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("it exists already; name another file")]);
  expect(readFileSync(file, "utf8")).toBe(written);
  // What is written beside it is gone.
  expect(readdirSync(stage.home).sort()).toEqual(["session.md", "state"]);
  const nowhere = await spillway("export", id, "--output", join("missing", "session.md"));
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/missing\/session\.md cannot be written: /),
  ]);
});

test.each([
  [["compact"], 2, /missing required argument 'session'/],
  [["repair"], 2, /missing required argument 'session'/],
  [["export", "a", "--format", "xml"], 2, /Allowed choices are markdown, json/],
  [["verify", "NO"], 2, /"NO" is no session's id/],
  [["verify", "nothere"], 1, /There is no session nothere in /],
  [["compact", "nothere"], 1, /There is no session nothere in /],
])("[R4] %j is refused with %i and in words, and nothing is made", async (args, code, message) => {
  const ended = await spillway(...args);

  expect([ended.code, ended.stdout]).toEqual([code, ""]);
  expect(ended.stderr).toMatch(message);
  expect(existsSync(join(stage.home, "state"))).toBe(false);
});

function readSessionFile(name: string): Buffer {
  return readFileSync(join(stage.home, "state", "sessions", name));
}

/** Damages the line of a file that holds a text first, and gives where that line begins. */
function flip(name: string, text: string): number {
  const bytes = readSessionFile(name);
  const place = bytes.indexOf(text);
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  writeFileSync(join(stage.home, "state", "sessions", name), bytes);
  return bytes.lastIndexOf("\n", place) + 1;
}
