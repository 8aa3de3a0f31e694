import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { buildCli } from "./cli/support/built-cli.js";
import { readText, repository } from "./support/files.js";

/** Node programs of other versions, `:`-joined; CI installs them. */
const nodes = (process.env["SPILLWAY_TEST_NODES"] ?? "").split(":").filter((path) => path !== "");

beforeAll(buildCli, 120_000);

test("CI has the main job tried on two later versions of Node", async () => {
  if (nodes.length === 0) console.log("not tried here: SPILLWAY_TEST_NODES names no other Node");
  const versions = await Promise.all(nodes.map((node) => promisify(execFile)(node, ["--version"])));
  const tried = versions.map(({ stdout }) => /^v(\d+)/.exec(stdout)?.[1]);

  expect(readText(".ci/run")).toMatch(/^export SPILLWAY_TEST_NODES="[^"]*node-22\.[^"]*node-24\.[^"]*"$/m);
  expect(tried).toEqual(nodes.length === 0 ? [] : ["22", "24"]);
});

test.each(nodes)("the main job works on %s", async (node) => {
  const home = await mkdtemp(join(tmpdir(), "spillway-node-"));
  const main = join(repository, "dist", "bin", "spillway.js");
  const env = { ...process.env, SPILLWAY_HOME: home };

  const run = promisify(execFile)(node, [main, "run", "--json", "--", "seq 1 100000; exit 7"], { env });
  const failure: unknown = await run.catch((error: unknown) => error);

  const { code, stdout } = failure as { code: number; stdout: string };
  const report: unknown = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
  expect(code).toBe(7);
  expect(report).toMatchObject({
    type: "report",
    exitCode: 7,
    produced: { bytes: 588_895, lines: 100_000 },
    spill: { bytes: 588_895, complete: true },
  });
  await rm(home, { recursive: true });
});
