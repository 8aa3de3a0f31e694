import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { StorageError } from "../errors.js";
import { PowerCutDisk } from "./fixtures/power-cut.js";
import { runSeed } from "../../../test/support/random.js";
import { makeRandom } from "./fixtures/random.js";
import type { Random } from "./fixtures/random.js";
import { fillSample, readSample } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { stageOn } from "./fixtures/scripted-life.js";

// One of the two files of a session is changed as disks, editors and copying change files: a bit, a byte, lost or
// foreign bytes, lines swapped, doubled or missing, a block of NULs. Then the session is opened on a disk in memory. It
// must be refused as damaged with no byte changed, or what was cut off must be told and what is left be a state that the
// session had; only a file that ends with a whole line can be a shorter one. Where a line that was not touched says that
// the changed bytes were on disk, nothing may be cut: that must be refused. A mutated file verifies as damaged, too, when
// it is refused, and the repaired session opens.

const isCi = process.env["CI"] === "true";
const COUNT = isCi ? 100_000 : 3_000;
const HANG_LIMIT_MS = 600_000;
const files = ["s1.jsonl", "s1.op_1.jsonl"];

test(
  "[S6] no mutation of the files passes silently",
  async () => {
    const whole = new PowerCutDisk();
    const session = await stageOn(whole).storage.create("s1");
    await fillSample(session);
    const full = await readSample(session);
    await session.close();
    const seed = runSeed();
    console.log(`mutations.test.ts: SPILLWAY_SEED=${seed}`);
    const random = makeRandom(seed);
    const outcomes = { refused: 0, cut: 0, shortened: 0, "passed silently": 0 };
    const kinds = new Set<number>();
    const repairs = { repaired: 0, refused: 0 };
    let knownSynced = 0;

    for (let round = 0, made = 0; made < COUNT; round += 1) {
      const disk = whole.reopened();
      const file = files[random(0, 1)] ?? "";
      const bytes = disk.read(file);
      const kind = random(0, MUTATIONS.length - 1);
      const mutated = MUTATIONS[kind]?.(bytes, random) ?? bytes;
      if (mutated.equals(bytes)) continue;
      made += 1;
      kinds.add(kind);
      disk.put(file, mutated);

      const opened = await open(disk);

      const isKnownSynced = changesSynced(bytes, mutated);
      if (isKnownSynced) knownSynced += 1;
      const outcome = judge(opened, { bytes, mutated, left: disk.read(file), full });
      if (outcome === "passed silently") throw new Error(`seed ${seed}, round ${round}: it passed silently`);
      if (isKnownSynced && outcome !== "refused")
        throw new Error(`seed ${seed}, round ${round}: ${outcome}, not refused`);
      outcomes[outcome] += 1;
      if (outcome !== "refused" || round % REPAIR_EVERY !== 0) continue;
      repairs[await checkRepair(disk, `seed ${seed}, round ${round}`)] += 1;
    }

    expect(kinds.size).toBe(MUTATIONS.length);
    expect(outcomes.refused).toBeGreaterThan(COUNT / 4);
    expect(knownSynced).toBeGreaterThan(COUNT / 5);
    expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBe(COUNT);
    expect(outcomes.cut).toBeGreaterThan(COUNT / 100);
    expect(repairs.repaired).toBeGreaterThan(repairs.refused);
  },
  HANG_LIMIT_MS,
);

const REPAIR_EVERY = 20;

interface Opened {
  readonly error?: StorageError;
  readonly sample?: Sample;
  readonly told: number;
}

async function open(disk: PowerCutDisk): Promise<Opened> {
  const { storage, diagnostics } = stageOn(disk);
  try {
    const session = await storage.open("s1");
    const sample = await readSample(session);
    await session.close();
    return { sample, told: diagnostics.length };
  } catch (error) {
    if (error instanceof StorageError) return { error, told: diagnostics.length };
    throw error;
  }
}

/** Where anything verifies, the session opens after a repair; where nothing does, it is refused and nothing is changed. */
async function checkRepair(disk: PowerCutDisk, place: string): Promise<"repaired" | "refused"> {
  const { storage } = stageOn(disk);
  expect(await storage.verify("s1"), `at ${place}`).toMatchObject({ isSound: false });
  const before = files.map((file) => disk.read(file));
  const repaired = await storage.repair("s1").catch((error: unknown) => error);
  if (repaired instanceof StorageError && repaired.message.includes("Nothing in")) {
    const isUnchanged = files.every((file, index) => before[index]?.equals(disk.read(file)));
    if (!isUnchanged) throw new Error(`${place}: a refused repair changed a file`);
    return "refused";
  }
  expect(repaired, `at ${place}`).toEqual(expect.arrayContaining([expect.anything()]));
  expect(await storage.verify("s1"), `at ${place}`).toMatchObject({ isSound: true });
  expect((await open(disk)).error, `at ${place}`).toBeUndefined();
  return "repaired";
}

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => changed(bytes, random(0, bytes.length - 1), (byte) => byte ^ (1 << random(0, 7))),
  (bytes, random) => changed(bytes, random(0, bytes.length - 1), () => random(0, 255)),
  function loseBytes(bytes, random) {
    const place = random(0, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + random(1, 40))]);
  },
  function addBytes(bytes, random) {
    const place = random(0, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, place), Buffer.from("x\n".repeat(random(1, 9))), bytes.subarray(place)]);
  },
  onLines((lines, line, other) =>
    lines.map((text, index) => (index === line ? (lines[other] ?? "") : index === other ? (lines[line] ?? "") : text)),
  ),
  onLines((lines, line, other) => lines.toSpliced(line, 0, lines[other] ?? "")),
  onLines((lines, line) => lines.toSpliced(line, 1)),
  function fillWithNul(bytes, random) {
    const place = random(0, bytes.length - 1);
    return Buffer.from(bytes).fill(0, place, Math.min(bytes.length, place + random(1, 512)));
  },
];

function changed(bytes: Buffer, place: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(bytes);
  copy[place] = change(bytes[place] ?? 0);
  return copy;
}

function onLines(change: (lines: readonly string[], line: number, other: number) => readonly string[]): Mutation {
  return (bytes, random) => {
    const lines = bytes.toString("latin1").split(/(?<=\n)/);
    const place = (): number => random(0, lines.length - 1);
    return Buffer.from(change(lines, place(), place()).join(""), "latin1");
  };
}

/** Of changes in place: whether a line that is as it was says that what was changed had been synced. */
function changesSynced(bytes: Buffer, mutated: Buffer): boolean {
  if (bytes.length !== mutated.length) return false;
  const first = bytes.findIndex((byte, place) => byte !== mutated[place]);
  let isLineStart = true;
  let highest = 0;
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = bytes.indexOf("\n", start) + 1;
    const isWhole = isLineStart && bytes.subarray(start, end).equals(mutated.subarray(start, end));
    const [, synced] = /"synced":(\d+)/.exec(bytes.toString("latin1", start, end)) ?? [];
    if (isWhole) highest = Math.max(highest, Number(synced ?? 0));
    isLineStart = mutated[end - 1] === 0x0a;
  }
  return highest > first;
}

interface Mutated {
  /** The file before and after the change, and after it was opened. */
  readonly bytes: Buffer;
  readonly mutated: Buffer;
  readonly left: Buffer;
  readonly full: Sample;
}

function judge(
  { error, sample, told }: Opened,
  { bytes, mutated, left, full }: Mutated,
): "refused" | "cut" | "shortened" | "passed silently" {
  if (error !== undefined) return error.code === "damaged" && left.equals(mutated) ? "refused" : "passed silently";
  if (told > 0) return isBeginningOf(full, sample) ? "cut" : "passed silently";
  // What is left when whole lines are missing at the end is what a session was before they were written.
  return bytes.subarray(0, mutated.length).equals(mutated) ? "shortened" : "passed silently";
}

function isBeginningOf(full: Sample, sample: Sample | undefined): boolean {
  if (sample === undefined) return false;
  const begins = (all: readonly unknown[], some: readonly unknown[]): boolean =>
    some.every((element, index) => isDeepStrictEqual(element, all[index]));
  return (
    begins(full.entries, sample.entries) &&
    begins(full.output, sample.output) &&
    (sample.title === undefined || sample.title === full.title)
  );
}
