import { formatNumber } from "../lib/report.mjs";
import { median } from "../lib/statistics.mjs";

/**
 * @typedef {import("../exec.mjs").CaseResult} CaseResult
 *
 * @typedef {object} Verdict
 * @property {string} subject
 * @property {string} metric
 * @property {number} value
 * @property {string} unit
 * @property {string} target In words.
 * @property {boolean} met
 */

const LEAST_OF_READER = 0.9;
const LEAST_OF_PIPE = 0.85;
const MAX_GROWTH = 51_200 + 32 * 1_024 * 1_024;
/** Of the process that runs the commands; a host's client has nothing to do but to take updates. */
const MAX_LOOP_MS = 50;
const MAX_TEXT_FACTOR = 1.03;
const MAX_UPDATE_BYTES = 40;
const MAX_FIRST_UPDATE_MS = 20;
const MAX_START_FACTOR = 1.3;

/**
 * Holds the figures against what is aimed at, and says which are missed.
 *
 * @param {import("./cases.mjs").ExecCase} one
 * @param {CaseResult} result
 * @param {import("./cases.mjs").Extent} extent
 * @param {import("../lib/report.mjs").Report} report
 */
export function judge({ name, kind }, result, extent, report) {
  const verdicts = { flood: judgeFlood, build: judgeBuild, calls: () => [], start: judgeStart }[kind](result);
  for (const verdict of verdicts) report.measured({ case: name, ...verdict });
  if (verdicts.length === 0) return;
  report.table(`${name}: targets, medians of ${extent.runs}`, [
    ["subject", "what", "is", "target", ""],
    ...verdicts.map(({ subject, metric, value, unit, target, met }) => [
      subject,
      metric,
      `${formatNumber(value)} ${unit}`,
      target,
      met ? "met" : "MISSED",
    ]),
  ]);
}

/** @param {CaseResult} result @returns {Verdict[]} */
function judgeFlood(result) {
  return [
    ...judgeRate(result, "spillway", "bare reader", LEAST_OF_READER),
    ...judgeRate(result, "spillway, spill", "bare pipe to file", LEAST_OF_PIPE),
    ...judgeRate(result, "spillway host, spill", "bare pipe to file", LEAST_OF_PIPE),
    ...["spillway", "spillway, spill", "spillway host, spill", "spillway tool"].flatMap((subject) =>
      atMost(subject, "growth of memory at its peak", medianOf(result, subject, "rssGrowth"), "B", MAX_GROWTH),
    ),
    ...["spillway", "spillway, spill", "spillway tool"].flatMap((subject) =>
      atMost(subject, "delay of the event loop, p99", medianOf(result, subject, "loopP99"), "ms", MAX_LOOP_MS),
    ),
  ];
}

/**
 * Runs are compared with those of the same turn.
 *
 * @param {CaseResult} result
 * @param {string} subject
 * @param {string} other
 * @param {number} least
 * @returns {Verdict[]}
 */
function judgeRate(result, subject, other, least) {
  const value = medianRatio(result, subject, other, "rate");
  const metric = `MB/s of those of ${other}`;
  return [{ subject, metric, value, unit: "x", target: `≥ ${least} x`, met: value >= least }];
}

/** @param {CaseResult} result @returns {Verdict[]} */
function judgeBuild(result) {
  return ["spillway", "spillway, spill", "spillway host, spill", "spillway tool"].flatMap((subject) => {
    const runs = result.get(subject) ?? [];
    const over = median(
      runs.map(({ bytes = Number.NaN, lines = Number.NaN, updates = Number.NaN, updateBytes = Number.NaN }) => {
        // As JSON, each newline is two bytes, and nothing else is more than one.
        return updateBytes - (bytes + lines) * MAX_TEXT_FACTOR - updates * MAX_UPDATE_BYTES;
      }),
    );
    const what = `bytes of updates over new text × ${MAX_TEXT_FACTOR} + ${MAX_UPDATE_BYTES} for each`;
    return [
      ...atMost(subject, what, over, "B", 0),
      ...atMost(
        subject,
        "first update after the first byte",
        medianOf(result, subject, "firstUpdate"),
        "ms",
        MAX_FIRST_UPDATE_MS,
      ),
    ];
  });
}

/** @param {CaseResult} result @returns {Verdict[]} */
function judgeStart(result) {
  const value = medianRatio(result, "spillway", "bare reader", "call");
  return atMost("spillway", "start to settle, of a bare spawn's", value, "x", MAX_START_FACTOR);
}

/**
 * @param {string} subject
 * @param {string} metric
 * @param {number} value
 * @param {string} unit
 * @param {number} most
 * @returns {Verdict[]}
 */
function atMost(subject, metric, value, unit, most) {
  return [{ subject, metric, value, unit, target: `≤ ${formatNumber(most)} ${unit}`, met: value <= most }];
}

/** @param {CaseResult} result @param {string} subject @param {string} metric */
function medianOf(result, subject, metric) {
  return median((result.get(subject) ?? []).map((figures) => figures[metric] ?? Number.NaN));
}

/** @param {CaseResult} result @param {string} subject @param {string} other @param {string} metric */
function medianRatio(result, subject, other, metric) {
  const others = result.get(other) ?? [];
  const own = result.get(subject) ?? [];
  return median(own.map((figures, run) => (figures[metric] ?? Number.NaN) / (others[run]?.[metric] ?? Number.NaN)));
}
