import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { repository } from "./support/files.js";

interface Measurement {
  readonly case: string;
  readonly subject: string;
  readonly metric: string;
  readonly value: number;
}

test(
  "the bench of exec runs in little, and every subject counts the same output",
  { timeout: 300_000 },
  async (context) => {
    if (process.env["CI"] !== "true") context.skip("it builds all sources first, and runs in CI");
    const run = join(repository, "bench", "run.mjs");
    const words = [run, "exec", "--quick", "--alone", "--json", "--case", "seq", "--case", "build-varied"];

    const { stdout } = await promisify(execFile)(process.execPath, words);

    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Measurement);
    const find = (name: string, metric: string): Measurement[] =>
      lines.filter((line) => line.case === name && line.metric === metric);
    expect(find("seq", "bytes").map(({ value }) => value)).toEqual(Array.from({ length: 6 }, () => 588_895));
    expect(find("seq", "lines").map(({ value }) => value)).toEqual(Array.from({ length: 6 }, () => 100_000));
    expect(find("build-varied", "firstUpdate")).toHaveLength(4);
    expect(lines.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  },
);
