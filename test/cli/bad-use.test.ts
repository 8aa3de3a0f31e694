import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

const command = ["--", "touch", "ran"];

test.each<[readonly string[], number, RegExp]>([
  [["nope"], 2, /unknown command 'nope'\nSee spillway --help/],
  [["rnu", ...command], 2, /unknown command 'rnu'\n\(Did you mean run\?\)/],
  [["--nope"], 2, /unknown option '--nope'/],
  [["help", "nope"], 2, /there is no command "nope"/],
  [["--", "run", "--", "ls"], 2, /name a command of spillway before --/],
  [["sessions", "x"], 2, /too many arguments[^]*spillway sessions --help/],
  [["show", "NO"], 2, /"NO" is no session's id/],
  [["cat"], 2, /missing required argument 'session'\nSee spillway cat --help/],
  [["cat", "a", "--lines", "9-3"], 2, /ends before it begins/],
  [["cat", "a", "--lines", "1", "--tail", "1"], 2, /exclude each other/],
  [["cat", "a", "--tail", "0"], 2, /out of range/],
  [["resume", "--json", "--quiet"], 2, /exclude each other/],
  [["rm"], 2, /missing required argument/],
  [["run", "--session", "../x", "--", "ls"], 125, /is no session's id/],
  [["run", "--cwd", "", "--", "ls"], 125, /It is empty; name a folder/],
  [["run"], 125, /the command to run is missing; put it after --, such as: spillway run -- make/],
  [["run", "--", "  "], 125, /the command to run is empty/],
  [["run", "touch", "ran"], 125, /Put -- before the command: spillway run -- make -j8\nSee spillway run --help/],
  [["run", "ls", "-la"], 125, /unknown option '-la'\nPut -- before the command/],
  [["run", "extra", ...command], 125, /too many arguments for 'run'/],
  [["run", "--tiemout", "3", ...command], 125, /unknown option '--tiemout'\n\(Did you mean --timeout\?\)/],
  [["run", "--timeout"], 125, /'--timeout <time>' argument missing/],
  [["run", "--timeout", "soon", ...command], 125, /"soon" is not a duration; use seconds such as 90/],
  [["run", "--timeout", "0", ...command], 125, /use more than 0 seconds/],
  [["run", "--max-bytes", "1.5", ...command], 125, /"1.5" is not a number of bytes; use a whole number/],
  [["run", "--max-bytes", "1m", ...command], 125, /out of range; use 4 to 204800 bytes/],
  [["run", "--max-bytes", "3", ...command], 125, /out of range; use 4 to 204800 bytes/],
  [["run", "--max-lines", "-3", ...command], 125, /"-3" is not a number of lines/],
  [["run", "--retain", "middle", ...command], 125, /Allowed choices are tail, head/],
  [["run", "--encoding", "zzz", ...command], 125, /"zzz" is no encoding that can be read line by line/],
  [["run", "--cwd", "missing", ...command], 125, /missing does not exist; name a folder that does/],
  [["run", "--cwd", "file", ...command], 125, /file is not a folder; name a folder/],
  [["run", "--env", "A=b", ...command], 125, /"A=b" is not the name of a variable/],
  [["run", "--no-network", ...command], 125, /--no-network is a part of --sandbox; add --sandbox/],
  [["run", "--writable", ".", ...command], 125, /--writable is a part of --sandbox; add --sandbox/],
  [["run", "--sandbox", "--writable", "missing", ...command], 125, /missing does not exist; name a folder/],
  [["exec-host"], 2, /say how clients reach it: --stdio, --socket, or both/],
  [["exec-host", "--nope"], 2, /unknown option '--nope'/],
  [["exec-host", "--socket", "--idle-exit", "soon"], 2, /"soon" is not a duration/],
  [["run", "--json", "--quiet", ...command], 125, /--json and --quiet exclude each other; leave one out/],
])("[R2] [R4] %j is refused with %i and in words", async (args, code, message) => {
  writeFileSync(join(stage.home, "file"), "");

  const ended = await stage.call(args);

  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(/(^|\n)spillway: /);
  expect(ended.stderr).toMatch(message);
  expect(readdirSync(stage.home)).toEqual(["file"]);
});

test("[R4] a current folder that is gone is told in words", async () => {
  const ended = await stage.shell("mkdir gone && cd gone && rmdir ../gone && $SPILLWAY run -- true");

  expect(ended).toMatchObject({ code: 125, stdout: "" });
  expect(ended.stderr).toBe("spillway: the current folder is gone; change to one that exists\n");
});

test("[R4] with --json the refusal is a line too", async () => {
  const ended = await stage.call(["run", "--json", "--timeout", "soon", ...command]);

  expect(ended.code).toBe(125);
  expect(parseLines(ended.stdout)).toEqual([
    { type: "error", code: "bad_usage", message: expect.stringContaining('"soon" is not a duration') },
  ]);
});

test.each([[[]], [["--help"]], [["run", "--help"]], [["help", "run"]]])(
  "the help of %j shows an example",
  async (args) => {
    const ended = await stage.call(args);

    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/^Usage: spillway/);
    expect(ended.stdout).toMatch(/Examples:\n {2}spillway run -- make -j8/);
  },
);

test("[R9] help into a closed pipe is no crash", async () => {
  expect(await stage.shell("$SPILLWAY --help | true; $SPILLWAY run --help | true")).toMatchObject({
    code: 0,
    stderr: "",
  });
});
