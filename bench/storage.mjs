import { fileURLToPath } from "node:url";
import { median } from "./lib/statistics.mjs";
import { cases, UNITS } from "./storage/cases.mjs";
import { BARE, OWN_SUBJECTS, SUBJECTS } from "./storage/subjects/subject.mjs";
import { tabulate } from "./storage/tables.mjs";
import { judge } from "./storage/targets.mjs";

/**
 * @typedef {import("./storage/cases.mjs").Figures} Figures
 * @typedef {import("./storage/cases.mjs").StorageCase} StorageCase
 * @typedef {import("./storage/cases.mjs").StorageResult} StorageResult
 */

const RUNS = 3;
const LIBRARY = fileURLToPath(new URL("./dist/spillway", import.meta.url));

/** @type {import("./run.mjs").Bench} */
export const bench = {
  title: "what it costs to keep a session, to keep it safely, and to open it again, against rivals",
  cases: cases.map(({ name }) => name),
  async run({ quick, cases: names, own }, report) {
    const wanted = cases.filter(({ name }) => names.includes(name));
    const subjects = own === undefined ? [...SUBJECTS, BARE] : [...OWN_SUBJECTS, BARE];
    const result = await measureCases(wanted, { library: own ?? LIBRARY, isQuick: quick, subjects }, report.progress);
    for (const [name, subjects] of result) {
      for (const [subject, figures] of subjects) {
        for (const [metric, value] of Object.entries(figures)) {
          report.measured({ case: name, subject, metric, value, unit: UNITS[metric] ?? "" });
        }
      }
    }
    tabulate(result, report);
    judge(result, report);
  },
};

/**
 * All cases once, then the short ones again, so that no case falls into one bad minute; the median of each figure.
 *
 * @param {readonly StorageCase[]} wanted
 * @param {{ library: string, isQuick: boolean, subjects: readonly string[] }} options
 * @param {(text: string) => void} progress
 * @returns {Promise<StorageResult>}
 */
async function measureCases(wanted, { library, isQuick, subjects: allowed }, progress) {
  /** @type {Map<string, Map<string, Figures>[]>} */
  const answers = new Map(wanted.map(({ name }) => [name, []]));
  for (let run = 1; run <= (isQuick ? 1 : RUNS); run += 1) {
    for (const { name, subjects, isLong, measure } of wanted) {
      if (isLong && run > 1) continue;
      progress(`storage: ${name}, run ${run}`);
      const present = subjects.filter((subject) => allowed.includes(subject));
      answers.get(name)?.push(await measure(present, { library, isQuick, run }));
    }
  }
  return new Map([...answers].map(([name, runs]) => [name, medianOf(runs)]));
}

/** @param {readonly Map<string, Figures>[]} runs */
function medianOf(runs) {
  return new Map(
    [...(runs[0]?.entries() ?? [])].map(([subject, first]) => [
      subject,
      Object.fromEntries(
        Object.keys(first).map((metric) => [metric, median(runs.map((run) => run.get(subject)?.[metric] ?? NaN))]),
      ),
    ]),
  );
}
