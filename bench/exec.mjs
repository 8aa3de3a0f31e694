import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cases, FULL, QUICK } from "./exec/cases.mjs";
import { subjects } from "./exec/subjects/index.mjs";
import { judge } from "./exec/targets.mjs";
import { runChild } from "./lib/children.mjs";
import { createRandom } from "./lib/random.mjs";
import { formatNumber } from "./lib/report.mjs";
import { median } from "./lib/statistics.mjs";
import { variedText } from "./lib/text.mjs";

/**
 * @typedef {import("./exec/cases.mjs").ExecCase} ExecCase
 * @typedef {import("./exec/cases.mjs").Extent} Extent
 * @typedef {Record<string, number>} Figures By the names in {@link UNITS}.
 * @typedef {Map<string, Figures[]>} CaseResult Of each subject: one for each run.
 */

/** @type {import("./run.mjs").Bench} */
export const bench = {
  title: "what it costs to run a command and to show its output",
  cases: cases.map(({ name }) => name),
  async run({ quick, cases: names, hasRivals }, report) {
    const extent = quick ? QUICK : FULL;
    const known = subjects.filter(({ isRival }) => hasRivals || !isRival);
    for (const one of cases.filter(({ name }) => names.includes(name))) {
      report.progress(`exec: ${one.name}`);
      const result = one.kind === "start" ? await raceStarts(one, known, extent) : await runCase(one, known, extent);
      tell(one, result, report);
      judge(one, result, extent, report);
    }
  },
};

/** What each figure is counted in. @type {Readonly<Record<string, string>>} */
const UNITS = {
  rate: "MB/s",
  ms: "ms",
  cpuMs: "ms",
  rssGrowth: "B",
  loopP99: "ms",
  updates: "",
  updateBytes: "B",
  firstUpdate: "ms",
  p50: "ms",
  p99: "ms",
  call: "ms",
  callP99: "ms",
  bytes: "B",
  lines: "",
};

/**
 * Subjects run by turns, so that a bad minute of the machine hits all alike.
 *
 * @param {ExecCase} one
 * @param {readonly import("./exec/subjects/index.mjs").SubjectEntry[]} known
 * @param {Extent} extent
 * @returns {Promise<CaseResult>}
 */
async function runCase(one, known, extent) {
  const chosen = one.kind === "build" ? known.filter(({ updates }) => updates) : known;
  /** @type {CaseResult} */
  const result = new Map(chosen.map(({ name }) => [name, []]));
  const folder = mkdtempSync(join(tmpdir(), "spillway-bench-"));
  const file = join(folder, "content");
  try {
    if (one.content !== undefined) writeContent(file, one.content, extent.floodBytes);
    const command = one.command({ file, extent });
    for (let run = 0; run < extent.runs; run += 1) {
      for (const { name } of chosen) {
        const program = new URL("./exec/process.mjs", import.meta.url);
        /** @type {Figures} */
        const figures = await runChild(program, { subject: name, kind: one.kind, command, calls: extent.calls });
        result.get(name)?.push(figures);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return one.kind === "flood" ? withRates(result) : result;
}

/** Not every subject tells how much it was; they were all given the same. @param {CaseResult} result */
function withRates(result) {
  const told = [...result.values()].flat().map(({ bytes }) => bytes);
  const bytes = told.find((count) => count !== undefined) ?? Number.NaN;
  const wrong = told.find((count) => count !== undefined && count !== bytes);
  if (wrong !== undefined) throw new Error(`subjects counted ${wrong} and ${bytes} bytes of the same output`);
  return new Map(
    [...result].map(([name, runs]) => [
      name,
      runs.map((figures) => ({ rate: bytes / (figures["ms"] ?? Number.NaN) / 1_000, ...figures })),
    ]),
  );
}

/**
 * @param {ExecCase} one
 * @param {readonly import("./exec/subjects/index.mjs").SubjectEntry[]} known
 * @param {Extent} extent
 * @returns {Promise<CaseResult>}
 */
async function raceStarts(one, known, extent) {
  const names = known.filter(({ saves, name }) => !saves || name === "spillway host, spill").map(({ name }) => name);
  /** @type {CaseResult} */
  const result = new Map(names.map((name) => [name, []]));
  for (let run = 0; run < extent.runs; run += 1) {
    const program = new URL("./exec/start-process.mjs", import.meta.url);
    const input = { subjects: names, command: one.command({ file: "", extent }), calls: extent.calls };
    for (const [name, figures] of Object.entries(await runChild(program, input))) result.get(name)?.push(figures);
  }
  return result;
}

const BLOCK_BYTES = 16_000_000;

/**
 * @param {string} path
 * @param {import("./exec/cases.mjs").Content} content
 * @param {number} bytes
 */
function writeContent(path, content, bytes) {
  const size = Math.min(BLOCK_BYTES, bytes);
  const varied = Buffer.from(variedText(createRandom(bytes), size));
  const block = content === "varied" ? varied : varied.map((byte) => (byte === 0x0a ? 0x20 : byte));
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; written += size) writeSync(file, block, 0, Math.min(size, bytes - written));
  closeSync(file);
}

/**
 * @param {ExecCase} one
 * @param {CaseResult} result
 * @param {import("./lib/report.mjs").Report} report
 */
function tell({ name: caseName, title }, result, report) {
  const metrics = Object.keys(UNITS).filter((metric) => [...result.values()].some((runs) => metric in (runs[0] ?? {})));
  const rows = [...result].map(([subject, runs]) => [
    subject,
    ...metrics.map((metric) => {
      const value = median(runs.flatMap((figures) => figures[metric] ?? []));
      if (!Number.isNaN(value)) {
        report.measured({ case: caseName, subject, metric, value, unit: UNITS[metric] ?? "" });
      }
      return formatNumber(value);
    }),
  ]);
  const headings = metrics.map((metric) => `${metric} ${UNITS[metric]}`.trimEnd());
  report.table(`${caseName}: ${title}`, [["", ...headings], ...rows]);
}
