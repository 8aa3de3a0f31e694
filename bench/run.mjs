// npm run bench -- NAME: prepares what a bench needs, runs it, and reports.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createReport } from "./lib/report.mjs";
import { buildSources, findNewerNode, installRivals, ToolchainError } from "./lib/toolchain.mjs";

/**
 * @typedef {object} Bench
 * @property {string} title
 * @property {readonly string[]} cases
 * @property {(options: BenchOptions, report: import("./lib/report.mjs").Report) => Promise<void>} run
 *
 * @typedef {object} BenchOptions
 * @property {boolean} quick Few repetitions: shows that it works, and figures of no weight. Under 30 s.
 * @property {readonly string[]} cases Those to run.
 * @property {string | undefined} own The folder of a build that is measured without the rivals, where one is named.
 * @property {boolean} hasRivals Whether rivals are there to be compared with.
 */

const BENCHES = {
  delta: { load: () => import("./delta.mjs"), needsRivals: true, alone: undefined },
  storage: { load: () => import("./storage.mjs"), needsRivals: true, alone: "own" },
  wire: { load: () => import("./wire.mjs"), needsRivals: false, alone: undefined },
  exec: { load: () => import("./exec.mjs"), needsRivals: true, alone: "alone" },
};
/** What the packages of @earendil-works ask for. */
const RIVALS_NODE = /** @type {const} */ ([22, 19]);
const BAD_USE = 2;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ToolchainError)) throw error;
  process.stderr.write(`bench: ${error.message}\n`);
  process.exitCode = 1;
}

/**
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function main(argv) {
  const { values, positionals, problem } = readArguments(argv);
  if (values.help === true) return say(await describeUse(), 0);
  const [name] = positionals;
  const entry = Object.entries(BENCHES).find(([known]) => known === name)?.[1];
  if (problem !== undefined) return complain(problem.split("\n")[0] ?? problem);
  if (name === undefined) return complain("name a bench");
  if (entry === undefined) return complain(`there is no bench ${name}`);
  if (positionals.length > 1) return complain("one bench at a time");

  /** @type {{ bench: Bench }} */
  const { bench } = await entry.load();
  const wanted = values.case ?? [];
  const unknown = wanted.find((one) => !bench.cases.includes(one));
  if (unknown !== undefined) {
    return complain(`${name} has no case ${unknown}; it has ${bench.cases.join(", ")}`);
  }

  const isAlone = values.own !== undefined || values.alone === true;
  if (values.own !== undefined && entry.alone !== "own") return complain(`${name} takes no --own`);
  if (values.alone === true && entry.alone !== "alone") return complain(`${name} takes no --alone`);
  if (entry.needsRivals && !isAlone) {
    installRivals();
    const node = findNewerNode(RIVALS_NODE);
    if (node !== undefined) return await runAgain(node);
  }
  if (values["no-build"] !== true && values.own === undefined) buildSources();
  const report = createReport(name, values.json === true);
  const cases = wanted.length === 0 ? bench.cases : bench.cases.filter((one) => wanted.includes(one));
  const own = values.own === undefined ? undefined : resolve(values.own);
  await bench.run({ quick: values.quick === true, cases, own, hasRivals: !isAlone }, report);
  return 0;
}

/** @param {string[]} argv */
function readArguments(argv) {
  try {
    const options = /** @type {const} */ ({
      help: { type: "boolean", short: "h" },
      json: { type: "boolean" },
      quick: { type: "boolean" },
      "no-build": { type: "boolean" },
      alone: { type: "boolean" },
      own: { type: "string" },
      case: { type: "string", multiple: true },
    });
    return { ...parseArgs({ args: argv, options, allowPositionals: true }), problem: undefined };
  } catch (error) {
    /** @type {{ help?: boolean, json?: boolean, quick?: boolean, "no-build"?: boolean, alone?: boolean, case?: string[], own?: string }} */
    const values = {};
    return { values, positionals: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

async function describeUse() {
  const benches = await Promise.all(
    Object.entries(BENCHES).map(async ([name, { load }]) => {
      const { bench } = await load();
      return `  ${name.padEnd(8)}${bench.title}\n${" ".repeat(10)}cases: ${bench.cases.join(", ")}`;
    }),
  );
  return `npm run bench -- NAME [--quick] [--json] [--own] [--case CASE]…

${benches.join("\n")}

  --quick     a few repetitions, under 30 s: shows that all works; the figures have no weight
  --json      one object per line: {bench, case, subject, metric, value, unit}
  --alone     exec alone: without the rivals, which then need not be installed
  --case      only this one; may be given several times
  --own DIST  storage alone: that build, without the rivals and without installing anything
  --no-build  measures what was built before, whatever has changed since

bench/README.md says what is measured, and how to read it.`;
}

/**
 * This same run in another Node.
 *
 * @param {string} node
 * @returns {Promise<number>}
 */
function runAgain(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * @param {string} text
 * @param {number} code
 */
function say(text, code) {
  process.stdout.write(`${text}\n`);
  return code;
}

/** @param {string} problem */
function complain(problem) {
  process.stderr.write(`bench: ${problem.replace(/\.$/, "")}. See npm run bench -- --help\n`);
  return BAD_USE;
}
