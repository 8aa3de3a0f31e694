import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { buildCli } from "./cli/support/built-cli.js";
import { readText, repository } from "./support/files.js";

beforeAll(buildCli, 120_000);

const folder = "examples/websocket-replica";

test("[D9] [D12] replicas over a WebSocket end with the host's value, one cut off on the way and one come late", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(repository, folder, "main.mjs")], {
    timeout: 60_000,
  });

  const { host, early, late } = JSON.parse(stdout) as Record<string, unknown>;
  expect(host).toMatchObject({ isDone: true, log: "4 \u{1F6E0} done\n5 \u{1F6E0} done\n6 \u{1F6E0} done\n" });
  expect(early).toEqual(host);
  expect(late).toEqual(host);
});

test("both sides together are about 40 lines of code", () => {
  const lines = ["share.mjs", "replica.mjs"].flatMap((name) => readText(`${folder}/${name}`).split("\n"));

  // Comments, imports and lines that only close something aside.
  expect(lines.filter((line) => !/^\s*(?:$|\/[/*]|import |[\])};,]+$)/.test(line)).length).toBeLessThanOrEqual(40);
});
