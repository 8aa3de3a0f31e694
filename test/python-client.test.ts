import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { apply, decoder, DeltaError } from "../src/delta/index.js";
import type { Batch, Json } from "../src/delta/index.js";
import { seededRandom, seedsOf } from "../src/lane/fixtures/random.js";
import { createConsumer } from "../src/wire/client/index.js";
import { ChaosProxy } from "../src/wire/fixtures/chaos-proxy.js";
import { buildCli, openCliStage, parseLines } from "./cli/support/built-cli.js";
import type { CliStage } from "./cli/support/built-cli.js";
import { appearanceOfSession, readState } from "./cli/support/sessions.js";
import { freshSeed } from "./support/random.js";
import { hasPython, startPython, whyNoPython } from "./support/python.js";
import type { RunningPython } from "./support/python.js";
import { makeUpBatch, makeUpWire, startValue } from "./support/python-ops.js";

beforeAll(buildCli, 120_000);

const isCi = process.env["CI"] === "true";

test.skipIf(!hasPython)(`[D13] [C1] the Python client passes the vectors and its own tests${whyNoPython}`, async () => {
  const { code, stderr } = await startPython(["-W", "error", "-m", "unittest", "discover", "-s", "tests", "-t", "."])
    .ended;

  expect(stderr).toMatch(/\nRan [1-9]\d+ tests in [^]*\n\nOK\n$/);
  expect(code).toBe(0);
});

test.skipIf(!hasPython)(`the Python client is written in the language of Python 3.9${whyNoPython}`, async () => {
  const check =
    "import ast, pathlib; [ast.parse(path.read_text('utf-8'), feature_version=(3, 9)) for path in pathlib.Path('.').rglob('*.py')]";
  const { code, stderr } = await startPython(["-c", check]).ended;

  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

const CASES = isCi ? 20_000 : 600;

test.skipIf(!hasPython).each(seedsOf(1))(
  `[D10] [D11] [D13] TypeScript and Python take and refuse the same made-up batches (seed %i)${whyNoPython}`,
  async (seed) => {
    const random = seededRandom(seed);
    const cases = Array.from({ length: CASES }, () =>
      throughJson({ before: startValue(), batch: makeUpBatch(random) }),
    );
    const expected = cases.map(({ before, batch }) => judge(before, batch as Batch));

    expect(await askPython(cases)).toEqual(expected.map(throughJson));
    const refused = expected.filter((outcome) => "code" in outcome).length;
    expect(Math.min(refused, CASES - refused)).toBeGreaterThan(CASES / 10);
  },
);

test.skipIf(!hasPython).each(seedsOf(1))(
  `[D9] [D10] [D13] TypeScript and Python decode and refuse the same made-up streams (seed %i)${whyNoPython}`,
  async (seed) => {
    const random = seededRandom(seed);
    const cases = Array.from({ length: CASES / 4 }, () =>
      throughJson({ wires: Array.from({ length: 4 }, (_, index) => makeUpWire(random, index === 0)) }),
    );
    const expected = cases.map(({ wires }) => {
      const stream = decoder();
      return { batches: wires.map((wire) => decodeOrRefusal(() => stream.decode(wire))) };
    });

    expect(await askPython(cases)).toEqual(expected.map(throughJson));
    const refused = expected.flatMap(({ batches }) => batches).filter((batch) => !Array.isArray(batch)).length;
    expect(Math.min(refused, CASES - refused)).toBeGreaterThan(CASES / 10);
  },
);

const SECONDS_OF_CUTS = isCi ? 8 : 1;

test.skipIf(!hasPython)(
  `[C1] [C2] a Python program follows a live run through cuts and ends with the host's value${whyNoPython}`,
  { timeout: 180_000 },
  async () => {
    using stage = openCliStage();
    const seed = freshSeed();
    const running = stage.start(["run", "--json", "--", LINES_UNTIL_ENOUGH]);
    const id = await appearanceOfSession(stage);
    const proxy = new ChaosProxy(socketOf(stage, id), seededRandom(seed));
    const home = announceProxy(stage, id, await proxy.listen());
    const following = startPython(["-m", "spillway", id, "--json"], { env: { SPILLWAY_HOME: home } });

    await expect
      .poll(() => proxy.counts.cut + proxy.counts.halfClosed, { timeout: 120_000, interval: 20 })
      .toBeGreaterThan(1);
    await new Promise((resolve) => setTimeout(resolve, SECONDS_OF_CUTS * 1_000));
    // The end is not to be lost on the way: the last connection is one that nothing happens to.
    proxy.isCalm = true;
    await expect.poll(() => following.remarks, { timeout: 30_000, interval: 20 }).toMatch(/connected again\n$/);
    const returns = countReturns(following);
    proxy.cutAll();
    await expect.poll(() => countReturns(following), { timeout: 30_000, interval: 20 }).toBeGreaterThan(returns);
    await stage.shell("touch enough");
    const [run, seen] = await Promise.all([running.ended, following.ended]);
    await proxy.close();

    expect(run.code).toBe(0);
    expect(seen, `seed ${seed}`).toMatchObject({ code: 0 });
    expect(JSON.parse(seen.stdout)).toEqual(lastValue(run.stdout));
  },
);

test.skipIf(!hasPython)(`[C1] the Python program prints the text of a run as it comes${whyNoPython}`, async () => {
  using stage = openCliStage();
  const running = stage.start([
    "run",
    "--",
    `echo '🦊 one'; until [ -e enough ]; do sleep 0.05; done; echo two; exit 3`,
  ]);
  const id = await appearanceOfSession(stage);
  const following = startPython(["-m", "spillway", id], { env: { SPILLWAY_HOME: join(stage.home, "state") } });
  await following.said(/🦊 one\n/);

  await stage.shell("touch enough");
  await running.ended;

  const { code, stdout } = await following.ended;
  expect(stdout).toMatch(/🦊 one\ntwo\n[^]*code 3/);
  expect(code).toBe(0);
});

test.skipIf(!hasPython)(`[C1] the Python program says so where no process has the session${whyNoPython}`, async () => {
  using stage = openCliStage();
  const env = { SPILLWAY_HOME: join(stage.home, "state") };

  const { code, stdout, stderr } = await startPython(["-m", "spillway", "s_none"], { env }).ended;

  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe("spillway: no process runs session s_none; spillway show s_none has what is stored\n");
});

/** Varied lines with characters of one and two units, faster than a window holds, until a file says that it is enough. */
const LINES_UNTIL_ENOUGH =
  `n=0; until [ -e enough ]; do awk -v from=$n 'BEGIN { for (i = from; i < from + 300; i += 1) ` +
  `print (i % 3 ? "line" : "🦊é"), i, i * i % 9973 }'; n=$((n + 300)); sleep 0.05; done`;

/** How often the program said that it lost its connection and has another one. */
function countReturns({ remarks }: RunningPython): number {
  return remarks.split("connected again\n").length - 1;
}

function socketOf(stage: CliStage, id: string): string {
  return (JSON.parse(readState(stage, "run", `${id}.json`)) as { socket: string }).socket;
}

/** A state folder in which the run is where the proxy listens. */
function announceProxy(stage: CliStage, id: string, socket: string): string {
  const home = join(stage.home, "proxied");
  mkdirSync(join(home, "run"), { recursive: true });
  const notes = JSON.parse(readFileSync(join(stage.home, "state", "run", `${id}.json`), "utf8")) as object;
  writeFileSync(join(home, "run", `${id}.json`), JSON.stringify({ ...notes, socket }));
  return home;
}

/** What the batches of `run --json` make. */
function lastValue(stdout: string): unknown {
  const consumer = createConsumer();
  for (const line of parseLines(stdout)) if (line["type"] === "batch") consumer.receive(line);
  expect(consumer.needsBase).toBe(false);
  return consumer.value;
}

async function askPython(cases: readonly object[]): Promise<unknown[]> {
  const input = cases.map((one) => `${JSON.stringify(one)}\n`).join("");
  const { code, stdout, stderr } = await startPython(["-m", "tests.judge"], { input }).ended;
  if (code !== 0) throw new Error(stderr);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}

type Outcome = { readonly value: Json } | (Refusal & { readonly value: Json });
type Refusal = { readonly code: string; readonly index?: number };

function judge(before: Json, batch: Batch): Outcome {
  const value = structuredClone(before);
  try {
    return { value: apply(value, batch) };
  } catch (error) {
    return { ...refusalOf(error), value };
  }
}

function decodeOrRefusal(decode: () => Batch): Batch | Refusal {
  try {
    return decode();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DeltaError)) throw error;
  return error.index === undefined ? { code: error.code } : { code: error.code, index: error.index };
}

function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
