import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { runSeed } from "../../../test/support/random.js";
import { StorageError } from "../errors.js";
import { systemError } from "./fixtures/hooked-files.js";
import { PowerCutDisk } from "./fixtures/power-cut.js";
import type { DiskCall } from "./fixtures/power-cut.js";
import { makeRandom } from "./fixtures/random.js";
import { addEntry, readSample } from "./fixtures/sample-session.js";
import { PossibleStates, script, stageOn } from "./fixtures/scripted-life.js";

// The script of the power cut tests runs on a disk in memory, once for every change that it makes there and every kind of
// failure: that call fails, or that call and all after it for a while. A commit that fails is told by its own promise and
// tried again once, as people do. Then everything acknowledged must be there, in the session as it is and in the next
// opening, and nothing that was refused by a write; after a failed sync the session says that it is read-only. What the
// next opening adds must outlive a power cut, although what a failed sync was to write is not on the disk.

const isCi = process.env["CI"] === "true";
const HANG_LIMIT_MS = 300_000;
const SAMPLE_EVERY = 4;
const stride = isCi ? 1 : SAMPLE_EVERY;

type Fault = (call: DiskCall) => number | void;

const fail = (code: string) => (): never => {
  throw systemError(code);
};

const faults: readonly (readonly [name: string, fault: Fault, concerns: (call: DiskCall) => boolean])[] = [
  ["ENOSPC", fail("ENOSPC"), ({ name }) => name === "write" || name === "create"],
  ["a write of nothing", () => 0, ({ name }) => name === "write"],
  ["a write of half", ({ bytes }) => Math.floor(bytes / 2), ({ name }) => name === "write"],
  ["a write of all but one byte", ({ bytes }) => bytes - 1, ({ name }) => name === "write"],
  ["EIO", fail("EIO"), () => true],
  ["a sync that fails", fail("EIO"), ({ name }) => name === "sync" || name === "syncFolder"],
  ["an unlink that fails", fail("EPERM"), ({ name }) => name === "unlink"],
  ["a rename that fails", fail("EACCES"), ({ name }) => name === "rename"],
];

test.each(faults)(
  "[S7] %s at any call of a run is told, and nothing acknowledged is lost",
  { timeout: HANG_LIMIT_MS },
  async (_name, fault, concerns) => {
    let hits = 0;
    const seed = runSeed();
    const random = makeRandom(seed);
    const whole = new PowerCutDisk();
    await runScript(whole, new PossibleStates());
    for (const length of [1, 4, Infinity]) {
      for (let step = isCi ? 0 : Math.floor(Math.random() * SAMPLE_EVERY); step < whole.steps; step += stride) {
        const place = `seed ${seed}, failing from step ${step} on, ${length} times`;
        const disk = new PowerCutDisk();
        const possible = new PossibleStates();
        let left = length;
        let isHit = false;
        disk.beforeStep = (call) => {
          // Where not even that name can be made, the file system is mounted anew before it takes writes, and shows what it has.
          if (disk.steps < step || left <= 0 || !concerns(call) || call.file.endsWith(".unsure")) return undefined;
          left -= 1;
          isHit = true;
          return fault(call);
        };

        const { refused, told } = await runScript(disk, possible);

        if (!isHit) continue;
        hits += 1;
        expect(told > 0 || refused > 0, `${place}: nobody was told`).toBe(true);
        disk.beforeStep = () => undefined;
        if (!possible.isMade && (await stageOn(disk).storage.list()).length === 0) continue;
        const session = await stageOn(disk).storage.open("s1");
        const found = await readSample(session);
        const isPossible = possible.afterKill().some((state) => isDeepStrictEqual(state, found));
        expect(isPossible, `${place}: ${JSON.stringify(found).slice(0, 200)}`).toBe(true);
        await addEntry(session, "after");
        await session.close();
        const cut = await stageOn(disk.restart(random)).storage.open("s1");
        expect((await readSample(cut)).entries.at(-1), `${place}: after a power cut`).toBe("after");
        await cut.close();
      }
    }
    expect(hits).toBeGreaterThan(10);
  },
);

test("[S7] a full disk refuses commits without closing the session, and a failed sync closes it", async () => {
  const run = async (
    concerned: DiskCall["name"],
  ): Promise<{ readonly refused: number; readonly readOnly: boolean }> => {
    const disk = new PowerCutDisk();
    disk.beforeStep = ({ name }) => {
      if (disk.steps === 60 || (disk.steps > 60 && disk.steps < 64)) {
        if (name === concerned) throw systemError("EIO");
      }
    };
    return runScript(disk, new PossibleStates());
  };

  expect(await run("write")).toMatchObject({ readOnly: false });
  expect(await run("sync")).toMatchObject({ readOnly: true });
});

interface ScriptEnd {
  /** Commits that failed. */
  readonly refused: number;
  /** Whether the session took no more of them in the end. */
  readonly readOnly: boolean;
  /** Diagnostics, and failures of making and closing. */
  readonly told: number;
}

async function runScript(disk: PowerCutDisk, possible: PossibleStates): Promise<ScriptEnd> {
  const { storage, diagnostics } = stageOn(disk);
  const end = { refused: 0, readOnly: false };
  const session = await storage.create("s1").catch((error: unknown) => checkCode(error, ["io_failed"]));
  if (session === undefined) return { ...end, told: 1 };
  possible.isMade = true;
  for (const step of script) {
    for (let attempt = 1; attempt <= 2 && !end.readOnly; attempt += 1) {
      possible.begin(step);
      const error = await step.commit(session).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined) {
        possible.acknowledge(step);
        break;
      }
      end.refused += 1;
      checkCode(error, ["write_failed", "read_only"]);
      end.readOnly = diagnostics.some(({ kind }) => kind === "sync_failed");
      // Where a sync failed it may be there or not; where a write did it is not, and the session goes on without it.
      if (!end.readOnly) possible.refuse();
    }
    // What comes next builds on what was refused twice.
    if (end.readOnly) break;
  }
  const closed = await session.close().then(
    () => 0,
    (error: unknown) => (checkCode(error, ["write_failed"]), 1),
  );
  return { ...end, told: diagnostics.length + closed };
}

function checkCode(error: unknown, codes: readonly string[]): undefined {
  if (error instanceof StorageError && codes.includes(error.code)) return undefined;
  throw error;
}
