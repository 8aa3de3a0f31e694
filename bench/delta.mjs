import { runChild } from "./lib/children.mjs";
import { cases } from "./delta/cases.mjs";
import { medianFigures } from "./delta/figures.mjs";
import { FAN_OUT, measureFanOut } from "./delta/measure-fan-out.mjs";
import { judge } from "./delta/targets.mjs";
import { tabulate } from "./delta/tables.mjs";

/**
 * @typedef {import("./delta/figures.mjs").Figures} Figures
 * @typedef {Map<string, Figures>} CaseResult By subject.
 * @typedef {Map<string, CaseResult>} DeltaResult By case.
 */

const PROCESSES = 5;

/** @type {import("./run.mjs").Bench} */
export const bench = {
  title: "what it costs to bring a change of a state to a copy of it, against rivals",
  cases: [...cases.map(({ name }) => name), FAN_OUT],
  async run(options, report) {
    const names = options.cases.filter((name) => name !== FAN_OUT);
    if (names.length > 0) await compareCases(names, options.quick, report);
    if (options.cases.includes(FAN_OUT)) {
      await measureFanOut(
        options.quick ? { processes: 1, batches: 5 } : { processes: PROCESSES, batches: 200 },
        report,
      );
    }
  },
};

/**
 * @param {readonly string[]} names
 * @param {boolean} quick
 * @param {import("./lib/report.mjs").Report} report
 */
async function compareCases(names, quick, report) {
  const result = quick ? await measureQuickly(names) : await measure(names, report);
  for (const [name, subjects] of result) {
    for (const [subject, { produce, consume, bytes }] of subjects) {
      report.measured({ case: name, subject, metric: "produce", value: produce, unit: "us" });
      report.measured({ case: name, subject, metric: "consume", value: consume, unit: "us" });
      report.measured({ case: name, subject, metric: "bytes", value: bytes, unit: "B" });
    }
  }
  tabulate(result, report);
  judge(result, report);
}

/**
 * A process for each case and repetition: all cases once, then all again, so that no case falls into one bad minute.
 *
 * @param {readonly string[]} names
 * @param {import("./lib/report.mjs").Report} report
 */
async function measure(names, report) {
  const answers = [];
  for (let repetition = 1; repetition <= PROCESSES; repetition += 1) {
    report.progress(`delta: processes ${repetition} of ${PROCESSES} for each of ${names.length} cases`);
    for (const name of names) {
      const timing = { warmUpMs: 200, measureMs: 200, maxSettling: 300, minChunks: 5, maxChunks: 24 };
      answers.push(...(await measureOnce([name], repetition, timing)));
    }
  }
  return joinAnswers(names, answers);
}

/**
 * All cases in one process.
 *
 * @param {readonly string[]} names
 */
async function measureQuickly(names) {
  const timing = { warmUpMs: 0, measureMs: 0, maxSettling: 3, minChunks: 2, maxChunks: 2 };
  return joinAnswers(names, await measureOnce(names, 1, timing));
}

/**
 * @param {readonly string[]} names
 * @param {number} seed
 * @param {Omit<import("./delta/process.mjs").ProcessInput, "cases" | "seed">} timing
 * @returns {Promise<Answer[]>}
 */
function measureOnce(names, seed, timing) {
  const program = new URL("./delta/process.mjs", import.meta.url);
  return runChild(program, { cases: names, seed, ...timing }, { nodeOptions: ["--expose-gc"] });
}

/**
 * @typedef {{ name: string, subjects: Record<string, Figures> }} Answer Of one case in one process.
 *
 * @param {readonly string[]} names
 * @param {readonly Answer[]} answers
 * @returns {DeltaResult}
 */
function joinAnswers(names, answers) {
  return new Map(names.map((name) => [name, joinCase(answers.filter((answer) => answer.name === name))]));
}

/**
 * @param {readonly Answer[]} answers
 * @returns {CaseResult}
 */
function joinCase(answers) {
  const subjects = Object.keys(answers[0]?.subjects ?? {});
  return new Map(
    subjects.map((subject) => [subject, medianFigures(answers.flatMap((answer) => answer.subjects[subject] ?? []))]),
  );
}
