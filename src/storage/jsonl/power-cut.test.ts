import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { PowerCutDisk } from "./fixtures/power-cut.js";
import { runSeed } from "../../../test/support/random.js";
import { makeRandom } from "./fixtures/random.js";
import type { Random } from "./fixtures/random.js";
import { addEntry, addOutput, fillSample, readSample } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { PossibleStates, script, stageOn } from "./fixtures/scripted-life.js";

// A script of commits runs once on a disk that lies about what was not synced (`fixtures/power-cut.ts`). Before every
// change that it makes there, the disk is copied as a kill leaves it, and many times as a power cut leaves it, each time
// with other writes and names lost, torn and reordered. Of each copy the session is recovered five times, and a second
// power cut stops some of these recoveries. All must find the same: the state after the last acknowledged commit or
// after the one that was under way; output under `interval` may end earlier at a power cut.

const isCi = process.env["CI"] === "true";
const HANG_LIMIT_MS = 900_000;
const RECOVERIES = 5;
/** Of each step, of which there are more than 120. */
const CUTS = isCi ? 85 : 6;

test(
  "[S1] a process killed at any change to its files leaves the state before or after the commit, and what the next adds is safe",
  async () => {
    const seed = runSeed();
    const random = makeRandom(seed);
    let copies = 0;
    await runScript(async (disk, possible, step) => {
      copies += 1;
      const image = disk.reopened();
      const found = await recover(image);
      expect(isAmong(found, possible.isMade, possible.afterKill()), `killed at step ${step}`).toBe(true);
      const expected = await addToRecovered(image);
      const cut = await recover(image.restart(random));
      expect(cut, `seed ${seed}, killed at step ${step}: what was added then, after a power cut`).toEqual(expected);
    });
    expect(copies).toBeGreaterThan(120);
  },
  HANG_LIMIT_MS,
);

test(
  "[S5] a power cut at any change leaves every commit that was acknowledged as durable, however often it is recovered",
  async () => {
    const seed = runSeed();
    console.log(`power-cut.test.ts: SPILLWAY_SEED=${seed}`);
    const random = makeRandom(seed);
    const seen = { cuts: 0, hits: 0, secondCuts: 0 };
    await runScript(async (disk, possible, step) => {
      for (let round = 0; round < CUTS; round += 1) {
        const place = `step ${step}, round ${round} of seed ${seed}`;
        seen.cuts += 1;
        if (disk.isUnsynced) seen.hits += 1;
        let image = disk.restart(random);
        const first = await recover(image.reopened());
        expect(isAmong(first, possible.isMade, possible.afterPowerCut()), `at ${place}`).toBe(true);
        for (let recovery = 2; recovery < RECOVERIES; recovery += 1) {
          image = await cutRecovery(image, random);
          if (image.isCut) seen.secondCuts += 1;
          image = image.restart(random);
          expect(await recover(image.reopened()), `${place}, recovery ${recovery}`).toEqual(first);
        }
        expect(await recover(image), `${place}, last recovery`).toEqual(first);
        await addAndReopen(image, place);
      }
    });
    expect(seen.cuts).toBeGreaterThan(isCi ? 10_000 : 700);
    // Nearly every step but those right behind a sync.
    expect(seen.hits).toBeGreaterThan(seen.cuts / 2);
    expect(seen.secondCuts).toBeGreaterThan(seen.cuts / 4);
  },
  HANG_LIMIT_MS,
);

test(
  "[S5] a power cut while a session is removed leaves one that opens, or nothing that is in the way of the next",
  async () => {
    const seed = runSeed();
    const random = makeRandom(seed);
    const disk = new PowerCutDisk();
    const session = await stageOn(disk).storage.create("s1");
    await fillSample(session);
    await session.close();
    const seen = { left: 0, gone: 0 };
    disk.beforeStep = async () => {
      for (let round = 0; round < (isCi ? 50 : 8); round += 1) {
        const image = disk.restart(random);
        const isLeft = (await recover(image)) !== undefined;
        seen[isLeft ? "left" : "gone"] += 1;
        await addAndReopen(image, `step ${disk.steps}, round ${round} of seed ${seed}`);
      }
    };

    await stageOn(disk).storage.remove("s1");

    expect(disk.names()).toEqual([]);
    expect(Math.min(seen.left, seen.gone)).toBeGreaterThan(0);
  },
  HANG_LIMIT_MS,
);

/** Runs the script, and looks at the disk before each change, with what may be found of it then. */
async function runScript(
  look: (disk: PowerCutDisk, possible: PossibleStates, step: number) => Promise<void>,
): Promise<void> {
  const disk = new PowerCutDisk();
  const possible = new PossibleStates();
  const failures: unknown[] = [];
  // Kept here too, because the storage takes what it throws for a failure of the disk, which it may live with.
  const lookAndKeep = (): Promise<void> =>
    look(disk, possible, disk.steps).catch((failure: unknown) => {
      failures.push(failure);
      throw failure;
    });
  disk.beforeStep = lookAndKeep;
  try {
    const session = await stageOn(disk).storage.create("s1");
    possible.isMade = true;
    for (const step of script) {
      possible.begin(step);
      await step.commit(session);
      possible.acknowledge(step);
    }
    await session.close();
    await lookAndKeep();
  } catch (error) {
    throw failures[0] ?? error;
  }
  if (failures.length > 0) throw failures[0];
}

/** What an opening for writing finds; `undefined` where there is no session. */
async function recover(disk: PowerCutDisk): Promise<Sample | undefined> {
  const { storage } = stageOn(disk);
  if ((await storage.list()).length === 0) return undefined;
  const session = await storage.open("s1");
  const sample = await readSample(session);
  await session.close();
  return sample;
}

/** Recovers until the power is cut again, if it comes to that. */
async function cutRecovery(disk: PowerCutDisk, random: Random): Promise<PowerCutDisk> {
  disk.cutAt(disk.steps + random(0, 12));
  await recover(disk).catch(() => undefined);
  return disk;
}

function isAmong(found: Sample | undefined, isMade: boolean, states: readonly Sample[]): boolean {
  if (found === undefined) return !isMade;
  return states.some((state) => isDeepStrictEqual(state, found));
}

/** Nothing that is added after a recovery is lost either. */
async function addAndReopen(disk: PowerCutDisk, place: string): Promise<void> {
  await addToRecovered(disk);
  const found = await recover(disk);
  expect([found?.entries.at(-1), found?.output.at(-1)], `at ${place}`).toEqual(["appended", "appended"]);
}

async function addToRecovered(disk: PowerCutDisk): Promise<Sample> {
  const { storage } = stageOn(disk);
  const isThere = (await storage.list()).length > 0;
  const session = isThere ? await storage.open("s1") : await storage.create("s1");
  await addEntry(session, "appended");
  await addOutput(session, "appended");
  const sample = await readSample(session);
  await session.close();
  return sample;
}
