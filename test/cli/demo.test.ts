import { beforeAll, expect, test } from "vitest";
import { repository } from "../support/files.js";
import { isCi } from "../support/machine-needs.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";

beforeAll(buildCli, 120_000);

// It is as long as it has to be for a person to watch.
test("[R10] the demo is a real build of at least 8 s and 256 KB", { timeout: 180_000 }, async (context) => {
  if (!isCi) context.skip("`npm start` shows it; as a test it runs in CI");
  using stage = openCliStage();
  const args = ["run", "--json", "--", `'${process.execPath}' examples/build-demo/build.mjs`];
  const ended = await stage.start(args, { cwd: repository }).ended;
  const report = parseLines(ended.stdout).at(-1) as unknown as Report;

  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(report.produced.bytes).toBeGreaterThan(262_144);
  expect(report.durationMs).toBeGreaterThanOrEqual(8_000);
  expect(report.wire.snapshotBytes).toBeGreaterThan(3 * report.wire.bytesEach);
});

interface Report {
  readonly durationMs: number;
  readonly produced: { readonly bytes: number };
  readonly wire: { readonly bytesEach: number; readonly snapshotBytes: number };
}
