import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import type { Json } from "../src/delta/index.js";
import { buildCli } from "./cli/support/built-cli.js";
import { bundleDelta } from "./support/delta-bundle.js";
import type { ProgramInput, ProgramOutput } from "./support/delta-program.js";
import { listFiles, readText } from "./support/files.js";
import { launchChromium, skipReason } from "./web/support/chromium.js";

const isCi = process.env["CI"] === "true";
const nodes = (process.env["SPILLWAY_TEST_NODES"] ?? "").split(":").filter((path) => path !== "");

interface Refusal {
  readonly code: string;
  readonly index?: number;
}

interface OpsCase {
  readonly name: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly error?: Refusal;
}

interface StreamCase {
  readonly name: string;
  readonly steps: readonly { readonly wire: unknown; readonly after?: Json; readonly error?: Refusal }[];
}

const ops = readVectors<OpsCase>("ops");
const streams = readVectors<StreamCase>("streams");
const firstSeed = isCi ? Date.now() % 1_000_000_000 : 1;
const seeds = Array.from({ length: isCi ? 1_000 : 50 }, (_, index) => firstSeed + index);

console.log(`random edits by ${seeds.length} seeds from ${firstSeed} on`);

let code: string;
beforeAll(async () => {
  await buildCli();
  ({ code } = await bundleDelta(`export { play } from "./test/support/delta-program.ts";`));
}, 120_000);

test.each([process.execPath, ...nodes])("[D12] [D13] the bundle does on %s what the vectors say", async (node) => {
  const folder = await mkdtemp(join(tmpdir(), "spillway-engine-"));
  await writeFile(join(folder, "bundle.mjs"), code);
  await writeFile(join(folder, "input.json"), input());
  const program = `
    import { readFileSync } from "node:fs";
    import { play } from ${JSON.stringify(pathToFileURL(join(folder, "bundle.mjs")).href)};
    process.stdout.write(play(readFileSync(${JSON.stringify(join(folder, "input.json"))}, "utf8")));`;
  await writeFile(join(folder, "run.mjs"), program);

  const { stdout } = await promisify(execFile)(node, [join(folder, "run.mjs")], { maxBuffer: 64 * 1_024 * 1_024 });

  const output = JSON.parse(stdout) as ProgramOutput;
  expect(output).toEqual(whatMustCome(output));
  expect(output.flushes).toBeGreaterThan(seeds.length * 5);
  await rm(folder, { recursive: true });
});

test.skipIf(skipReason !== undefined)("[D12] [D13] the bundle does in Chromium what the vectors say", async () => {
  const browser = await launchChromium();
  const page = await browser.newPage();

  const text = await page.evaluate<string>(`(async () => {
    const address = URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: "text/javascript" }));
    const { play } = await import(address);
    return play(${JSON.stringify(input())});
  })()`);

  await browser.close();
  const output = JSON.parse(text) as ProgramOutput;
  expect(output).toEqual(whatMustCome(output));
  expect(output.flushes).toBeGreaterThan(seeds.length * 5);
});

function input(): string {
  return JSON.stringify({ ops, streams, seeds } satisfies ProgramInput);
}

/** As the vectors say; what they leave open, and how many flushes there were, is as it came. */
function whatMustCome({ streams: followed, flushes }: ProgramOutput): ProgramOutput {
  return {
    ops: ops.map(({ after, error }) => (error === undefined ? { after } : { error })),
    streams: streams.map(({ steps }, index) =>
      steps.map(({ after, error }, step) => {
        if (error !== undefined) return { error };
        return after !== undefined ? { after } : (followed[index]?.[step] ?? { after: "nothing" });
      }),
    ),
    flushes,
  };
}

function readVectors<Case>(folder: string): Case[] {
  return listFiles(`spec/vectors/${folder}`, ".json").flatMap((path) => JSON.parse(readText(path)) as Case[]);
}
