import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { sessionScope } from "../address.js";
import type { SessionStorage, Storage } from "../contract.js";
import { makeManualTimers } from "./fixtures/manual-timers.js";
import { PowerCutDisk } from "./fixtures/power-cut.js";
import { makeRandom } from "./fixtures/random.js";
import { addEntry, addOutput, memo, output, readSample, scope } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { createJsonlStorage } from "./jsonl-storage.js";
import type { StorageDiagnostic } from "./diagnostics.js";

// A script of commits is stopped at every change that it makes on the disk, by a kill (all that was written is there) and
// by power cuts (what was not synced is there, missing or torn). What the next opening finds must be the state after the
// last acknowledged commit or after the one that was under way; output under `interval` may end earlier at a power cut.

const isCi = process.env["CI"] === "true";
const HANG_LIMIT_MS = 300_000;

test("[S1] a process killed at any change to its files leaves the state before or after the commit", async () => {
  const { steps } = await runScript(new PowerCutDisk());

  for (let step = 0; step <= steps; step += 1) {
    const disk = new PowerCutDisk();
    disk.cutAt(step);
    const run = await runScript(disk);

    const found = await reopen(disk.reopened());

    expect(run.possible(found.sample, "kill"), `killed at step ${step}: ${JSON.stringify(found)}`).toBe(true);
    expect(found.appended).toEqual(["appended", "appended"]);
  }
});

test(
  "[S5] a power cut at any change leaves every commit that was acknowledged as durable, and no damage",
  async () => {
    const seed = Number(process.env["SPILLWAY_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
    const { steps } = await runScript(new PowerCutDisk());
    let cut = 0;

    for (let step = 0; step <= steps; step += 1) {
      for (let round = 0; round < (isCi ? 50 : 10); round += 1) {
        const disk = new PowerCutDisk();
        disk.cutAt(step);
        const run = await runScript(disk);

        const found = await reopen(disk.restart(makeRandom(seed + 1_000 * step + round)));

        const isPossible = run.possible(found.sample, "power") && found.appended.join() === "appended,appended";
        expect(isPossible, `cut at step ${step}, round ${round} of seed ${seed}: ${JSON.stringify(found)}`).toBe(true);
        cut += found.diagnostics.filter(({ kind }) => kind === "tail_cut").length;
      }
    }
    // One round in six finds a tail: that none of 900 does has a chance below 10^-60.
    expect(cut).toBeGreaterThan(0);
  },
  HANG_LIMIT_MS,
);

interface ScriptRun {
  /** Changes on the disk. */
  readonly steps: number;
  /** Whether a session may hold this after the script was stopped. */
  possible(found: Sample | undefined, by: "kill" | "power"): boolean;
}

/** A commit of the script, what it changes, and whether that is on disk when it is acknowledged. */
interface ScriptStep {
  readonly commit: (session: SessionStorage) => Promise<unknown>;
  readonly change: (state: Sample) => Sample;
  readonly into: "main log" | "sidecar" | "sidecar, unsynced";
}

const script: readonly ScriptStep[] = Array.from({ length: 3 }, (_, life): ScriptStep[] => [
  makeEntry(`entry ${life}`),
  makeOutput(`start ${life}`, "sidecar"),
  makeOutput(`a ${life}`, "sidecar, unsynced"),
  makeOutput(`b ${life} ${"x".repeat(900)}`, "sidecar, unsynced"),
  {
    commit: (session) => session.commit(scope, (transaction) => transaction.set(memo, life)),
    change: (state) => ({ ...state, memo: life }),
    into: "sidecar",
  },
  makeOutput(`c ${life}`, "sidecar, unsynced"),
  {
    commit: (session) =>
      session.commit(scope, (transaction) => transaction.append(output, `base ${life}`, { supersedes: true })),
    change: (state) => ({ ...state, output: [`base ${life}`] }),
    into: "sidecar",
  },
  makeOutput(`d ${life}`, "sidecar, unsynced"),
  makeEntry(`more ${life}`),
  {
    commit: (session) => session.commit(sessionScope, (transaction) => transaction.retireScope(scope)),
    change: (state) => ({ ...state, output: [], memo: undefined }),
    into: "main log",
  },
]).flat();

function makeEntry(text: string): ScriptStep {
  return {
    commit: (session) => addEntry(session, text),
    change: (state) => ({ ...state, entries: [...state.entries, text] }),
    into: "main log",
  };
}

function makeOutput(text: string, into: ScriptStep["into"]): ScriptStep {
  const sync = into === "sidecar" ? "always" : "interval";
  return {
    commit: (session) => session.commit(scope, (transaction) => transaction.append(output, text), { sync }),
    change: (state) => ({ ...state, output: [...state.output, text] }),
    into,
  };
}

async function runScript(disk: PowerCutDisk): Promise<ScriptRun> {
  // What may be found after a power cut, the newest last: without any part of the sidecar's end that was not synced.
  let states: readonly Sample[] = [{ entries: [], title: undefined, output: [], memo: undefined }];
  let underWay: readonly Sample[] = [];
  let isMade = false;
  try {
    const session = await storageOn(disk).create("s1");
    isMade = true;
    for (const { commit, change, into } of script) {
      underWay = into === "main log" ? states.map(change) : states.slice(-1).map(change);
      await commit(session);
      states = into === "sidecar, unsynced" ? [...states, ...underWay] : underWay;
      underWay = [];
    }
    await session.close();
  } catch {
    // The disk is gone.
  }
  return {
    steps: disk.steps,
    possible(found, by) {
      if (found === undefined) return !isMade;
      const all = by === "power" ? [...states, ...underWay] : [...states.slice(-1), ...underWay.slice(-1)];
      return all.some((state) => isDeepStrictEqual(state, found));
    },
  };
}

interface Found {
  readonly sample: Sample | undefined;
  /** What was added to both files and was there when the session was opened once more. */
  readonly appended: readonly (string | undefined)[];
  readonly diagnostics: readonly StorageDiagnostic[];
}

async function reopen(disk: PowerCutDisk): Promise<Found> {
  const diagnostics: StorageDiagnostic[] = [];
  const storage = storageOn(disk, (diagnostic) => diagnostics.push(diagnostic));
  const isThere = (await storage.list()).length > 0;
  const session = isThere ? await storage.open("s1") : await storage.create("s1");
  const sample = isThere ? await readSample(session) : undefined;
  await addEntry(session, "appended");
  await addOutput(session, "appended");
  await session.close();
  const again = await storage.open("s1");
  const { entries, output: added } = await readSample(again);
  await again.close();
  return { sample, appended: [entries.at(-1), added.at(-1)], diagnostics };
}

function storageOn(disk: PowerCutDisk, onDiagnostic?: (diagnostic: StorageDiagnostic) => void): Storage {
  return createJsonlStorage({
    folder: "/disk",
    files: disk.files,
    locks: { acquire: async () => ({ isHeld: true, release: async () => undefined }) },
    timers: makeManualTimers(),
    outputCapBytes: 100,
    onDiagnostic,
  });
}
