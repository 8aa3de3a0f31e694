import { afterAll, beforeAll, expect, test } from "vitest";
import { compilePrograms } from "./fixtures/processes.js";
import type { Programs } from "./fixtures/processes.js";
import { runSeed } from "../../../test/support/random.js";
import { makeRandom } from "./fixtures/random.js";
import { readSample } from "./fixtures/sample-session.js";
import type { Sample } from "./fixtures/sample-session.js";
import { openTemporaryFolder } from "./fixtures/temporary-folder.js";
import { createJsonlStorage } from "./jsonl-storage.js";

let programs: Programs;
beforeAll(() => {
  programs = compilePrograms();
});
afterAll(() => programs[Symbol.dispose]());

const HANG_LIMIT_MS = 300_000;

test(
  "[S1] kill -9 at random moments: all that was acknowledged is there once, and what the next opening adds (X42)",
  async () => {
    const seed = runSeed();
    console.log(`kill.test.ts: SPILLWAY_SEED=${seed}`);
    const random = makeRandom(seed);

    for (let round = 0; round < (process.env["CI"] === "true" ? 100 : 8); round += 1) {
      using folder = openTemporaryFolder();
      const writer = programs.start("write", [folder.path, "s1"]);
      const commits = random(1, 120);
      await writer.said(() => writer.lines.length >= commits);
      writer.kill("SIGKILL");
      await writer.ended;

      const session = await createJsonlStorage({ folder: folder.path }).open("s1");
      const faults = findFaults(await readSample(session), writer.lines);
      await session.close();

      expect(faults, `seed ${seed}, round ${round}`).toEqual([]);
    }
  },
  HANG_LIMIT_MS,
);

/** At most one commit of each kind can be there beyond what was acknowledged: the program waits for each. */
function findFaults({ entries, output, memo }: Sample, lines: readonly string[]): string[] {
  const told = (kind: string): number => Number(lines.findLast((line) => line.startsWith(kind))?.split(" ")[1] ?? 0);
  const isLast = (number: number, kind: string): boolean => number === told(kind) || number === told(kind) + 1;
  const numbers = output.map((text) => Number(text.split(" ")[1]));
  const [first = 0] = numbers;
  // What was told of a life may be missing only as a whole: after every tenth round, when it was retired.
  const isRetired = told("memo") % 10 === 0 && told("memo") === told("output");
  const rules = {
    "entries are whole and in order": entries.every((text, place) => text === `entry ${place + 1}`),
    "no entry is missing": isLast(entries.length, "entry"),
    "output is whole and in order": numbers.every((number, place) => number === first + place),
    "no output of a retired life is there": numbers.every((number) => number > told("retired")),
    "no output is missing": numbers.length === 0 ? isRetired : isLast(first + numbers.length - 1, "output"),
    "no memo is missing": memo === undefined ? told("memo") % 10 === 0 : isLast(memo, "memo"),
  };
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`not so: ${rule}`]));
}
