import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { buildCli } from "./cli/support/built-cli.js";
import { repository } from "./support/files.js";
import { isCi } from "./support/machine-needs.js";

// The bench as it is, quickly and without the rivals, who are not installed with the project. Figures that are times have
// no weight here; those of bytes are what they are in the whole run.

beforeAll(buildCli, 120_000);

const names = ["workload", "endless", "commit", "waiting-512", "sessions-512", "open-1m"];

test(
  "[S5] a quick run of the storage bench has a figure for all that it names, and its bytes are within their targets",
  { timeout: 120_000 },
  async (context) => {
    if (!isCi) context.skip("it measures for a while, and runs in CI");
    const own = ["--own", join(repository, "dist"), "--quick", "--json"];
    const program = join(repository, "bench", "run.mjs");
    const cases = names.flatMap((name) => ["--case", name]);

    const { stdout } = await promisify(execFile)(process.execPath, [program, "storage", ...own, ...cases]);

    const figures = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Figure);
    const of = (name: string, metric: string): number =>
      figures.find((one) => one.case === name && one.subject === "spillway" && one.metric === metric)?.value ?? NaN;
    expect(figures.filter(({ value, metric }) => !(value > 0) && metric !== "recover")).toEqual([]);
    expect(new Set(figures.map(({ case: name }) => name))).toEqual(new Set(names));
    expect(of("workload", "main log")).toBeLessThanOrEqual(1.05 * of("workload", "settled") + 400);
    expect(of("workload", "sidecar peak")).toBeLessThanOrEqual(260_000);
    expect(of("endless", "sidecar peak")).toBeLessThanOrEqual(512 * 1_024);
    expect(of("commit", "by a bare write + fdatasync")).toBeGreaterThan(0);
    expect(of("sessions-512", "acks")).toBeGreaterThan(0);
  },
);

interface Figure {
  readonly case: string;
  readonly subject: string;
  readonly metric: string;
  readonly value: number;
}
