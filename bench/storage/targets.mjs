import { formatNumber } from "../lib/report.mjs";
import { BARE, SPILLWAY } from "./subjects/subject.mjs";
import { FULL } from "./workload.mjs";

/**
 * @typedef {import("./cases.mjs").StorageResult} StorageResult
 *
 * @typedef {object} Verdict
 * @property {string} case
 * @property {string} metric
 * @property {number} value
 * @property {string} unit
 * @property {string} target
 * @property {boolean} met
 * @property {string} [remark]
 */

const MB = 1_000_000;
const BYTES_PER_OPERATION = 400;

/**
 * Holds the figures against what is aimed at, and says which are missed.
 *
 * @param {StorageResult} result
 * @param {import("../lib/report.mjs").Report} report
 */
export function judge(result, report) {
  const verdicts = judgeAll(result);
  for (const { case: name, metric, value, unit } of verdicts) {
    // What was measured as it is was reported then, in its own unit.
    if (result.get(name)?.get(SPILLWAY)?.[metric] !== undefined) continue;
    report.measured({ case: name, subject: SPILLWAY, metric, value, unit });
  }
  report.table("Targets", [
    ["case", "what", "is", "target", "", ""],
    ...verdicts.map(({ case: name, metric, value, unit, target, met, remark = "" }) => [
      name,
      metric,
      `${formatNumber(value)} ${unit}`,
      target,
      met ? "met" : "MISSED",
      remark,
    ]),
  ]);
  const missed = verdicts.filter(({ met }) => !met).length;
  report.say(`\n${verdicts.length - missed} of ${verdicts.length} targets are met, ${missed} are missed.`);
}

/**
 * @param {StorageResult} result
 * @returns {Verdict[]}
 */
export function judgeAll(result) {
  const own = (/** @type {string} */ name) => result.get(name)?.get(SPILLWAY);
  const bare = (/** @type {string} */ name) => result.get(name)?.get(BARE);
  const [workload, endless, commit, one, many] = ["workload", "endless", "commit", "waiting-512", "sessions-512"].map(
    own,
  );
  const opens = [...result.keys()].filter((name) => name === "open-1m" || name === "open-500mb");
  return [
    ...(workload === undefined ? [] : judgeWorkload(workload)),
    ...(endless === undefined ? [] : [atMost("endless", "sidecar peak", endless["sidecar peak"], 512 * 1_024, "B")]),
    ...(commit === undefined
      ? []
      : [
          atMost(
            "commit",
            "by a bare write + fdatasync",
            (commit["commit"] ?? NaN) / (bare("commit")?.["commit"] ?? NaN),
            1.2,
            "x",
          ),
        ]),
    ...(one === undefined ? [] : [atLeast("waiting-512", "acks", one["acks"], 100_000, "1/s")]),
    ...(many === undefined ? [] : judgeSessions(many, bare("sessions-512"))),
    ...opens.flatMap((name) => {
      const { bytes = NaN, open = NaN } = own(name) ?? {};
      return [atLeast(name, "read", bytes / MB / (open / 1_000), 150, "MB/s")];
    }),
  ];
}

/** @param {import("./cases.mjs").Figures} figures */
function judgeWorkload({ settled = NaN, operations = FULL.operations, ...figures }) {
  const bound = 1.05 * settled + BYTES_PER_OPERATION * operations;
  return [
    atMost("workload", "main log by settled text", (figures["main log"] ?? NaN) / settled, bound / settled, "x"),
    atMost("workload", "sidecar peak", figures["sidecar peak"], 0.26 * MB, "B"),
  ];
}

/**
 * @param {import("./cases.mjs").Figures} own
 * @param {import("./cases.mjs").Figures | undefined} bare
 */
function judgeSessions(own, bare) {
  const [acks, p99] = [bare?.["acks"] ?? NaN, bare?.["p99"] ?? NaN];
  return [
    { ...atLeast("sessions-512", "acks", own["acks"], 15_000, "1/s"), remark: `bare: ${formatNumber(acks)} 1/s` },
    {
      ...atMost("sessions-512", "p99", (own["p99"] ?? NaN) / 1_000, 60, "ms"),
      remark: `bare: ${formatNumber(p99 / 1_000)} ms`,
    },
  ];
}

/**
 * @param {string} name
 * @param {string} metric
 * @param {number | undefined} value
 * @param {number} bound
 * @param {string} unit
 * @returns {Verdict}
 */
function atMost(name, metric, value = NaN, bound, unit) {
  return { case: name, metric, value, unit, target: `≤ ${formatBound(bound)} ${unit}`, met: value <= bound };
}

/**
 * @param {string} name
 * @param {string} metric
 * @param {number | undefined} value
 * @param {number} bound
 * @param {string} unit
 * @returns {Verdict}
 */
function atLeast(name, metric, value = NaN, bound, unit) {
  return { case: name, metric, value, unit, target: `≥ ${formatBound(bound)} ${unit}`, met: value >= bound };
}

/** @param {number} bound */
function formatBound(bound) {
  return bound < 10 ? String(Number(bound.toPrecision(3))) : Math.round(bound).toLocaleString("en-US");
}
