import { formatNumber } from "../lib/report.mjs";
import { cases } from "./cases.mjs";

/**
 * @typedef {import("../delta.mjs").CaseResult} CaseResult
 * @typedef {import("../delta.mjs").DeltaResult} DeltaResult
 * @typedef {import("./figures.mjs").Figures} Figures
 *
 * @typedef {object} Verdict
 * @property {string} metric
 * @property {number} value
 * @property {string} unit
 * @property {string} target In words.
 * @property {boolean} met
 * @property {string} [remark]
 */

const RIVALS = ["chord", "immer", "mutative", "fast-json-patch", "yjs", "snapshot"];
const DEFAULT_FACTOR = 2;
const MAX_OVERHEAD_BYTES = 40;
/** How much the slowest size may cost of the fastest for the cost to count as flat: what memory and noise make of it. */
const FLAT_WITHIN = 2;

/**
 * Holds the figures against what is aimed at, and says which are missed.
 *
 * @param {DeltaResult} result
 * @param {import("../lib/report.mjs").Report} report
 */
export function judge(result, report) {
  const rows = [];
  for (const [name, verdicts] of judgeAll(result)) {
    for (const { metric, value, unit, target, met, remark = "" } of verdicts) {
      report.measured({ case: name, subject: "spillway", metric, value, unit });
      rows.push([name, metric, `${formatNumber(value)} ${unit}`, target, met ? "met" : "MISSED", remark]);
    }
  }
  report.table("Targets", [["case", "what", "is", "target", "", ""], ...rows]);
  const missed = rows.filter((row) => row[4] === "MISSED").length;
  report.say(`\n${rows.length - missed} of ${rows.length} targets are met, ${missed} are missed.`);
}

/**
 * @param {DeltaResult} result
 * @returns {[name: string, verdicts: Verdict[]][]}
 */
function judgeAll(result) {
  /** @type {[string, Verdict[]][]} */
  const all = [...result].map(([name, subjects]) => [name, judgeCase(name, subjects)]);
  return [...all, ["append-flat", judgeFlat("append-flat", result)], ["slide-flat", judgeFlat("slide-flat", result)]];
}

/**
 * @param {string} name
 * @param {CaseResult} subjects
 * @returns {Verdict[]}
 */
function judgeCase(name, subjects) {
  const stated = subjects.get("spillway stated");
  const plain = subjects.get("spillway plain");
  const chord = subjects.get("chord");
  const floor = subjects.get("floor");
  if (stated === undefined || plain === undefined || chord === undefined || floor === undefined) return [];
  const factor = cases.find((one) => one.name === name)?.factor ?? DEFAULT_FACTOR;
  const verdicts = /** @type {const} */ (["produce", "consume"]).flatMap((metric) => {
    const of = { best: bestRival(subjects, metric), chord: chord[metric], floor: floor[metric] };
    return [
      judgeSpeed(`${metric}, stated`, stated[metric], metric === "produce" ? factor : DEFAULT_FACTOR, of),
      judgeSpeed(`${metric}, plain`, plain[metric], 1, of),
    ];
  });
  verdicts.push(...judgeBytes(stated, plain, chord));
  return verdicts;
}

/**
 * @param {CaseResult} subjects
 * @param {"produce" | "consume"} metric
 */
function bestRival(subjects, metric) {
  return RIVALS.map((name) => ({ name, value: subjects.get(name)?.[metric] ?? Number.POSITIVE_INFINITY })).reduce(
    (best, one) => (one.value < best.value ? one : best),
  );
}

/**
 * @param {string} metric
 * @param {number} own
 * @param {number} target
 * @param {{ best: { name: string, value: number }, chord: number, floor: number }} of
 * @returns {Verdict}
 */
function judgeSpeed(metric, own, target, { best, chord, floor }) {
  const value = best.value / own;
  const highest = best.value / floor;
  const remarks = [
    `best rival ${best.name}`,
    ...(best.name === "chord" ? [] : [`against chord ${formatNumber(chord / own)} x`]),
    ...(highest < target ? [`the floor of ${formatNumber(floor)} µs allows ${formatNumber(highest)} x`] : []),
  ];
  return {
    metric: `${metric} against the best rival`,
    value,
    unit: "x",
    target: `≥ ${target} x`,
    met: value >= target,
    remark: remarks.join("; "),
  };
}

/**
 * @param {Figures} stated
 * @param {Figures} plain
 * @param {Figures} chord
 * @returns {Verdict[]}
 */
function judgeBytes(stated, plain, chord) {
  const more = plain.bytes - chord.bytes;
  /** @type {Verdict[]} */
  const verdicts = [{ metric: "bytes, plain less chord's", value: more, unit: "B", target: "≤ 0 B", met: more <= 0 }];
  if (stated.overhead === null) return verdicts;
  const met = stated.overhead <= MAX_OVERHEAD_BYTES;
  const target = `≤ ${MAX_OVERHEAD_BYTES} B`;
  return [...verdicts, { metric: "bytes, stated over the new text", value: stated.overhead, unit: "B", target, met }];
}

/**
 * @param {string} prefix
 * @param {DeltaResult} result
 * @returns {Verdict[]}
 */
function judgeFlat(prefix, result) {
  const costs = [...result].flatMap(([name, subjects]) =>
    name.startsWith(prefix) ? [subjects.get("spillway stated")?.produce ?? Number.NaN] : [],
  );
  if (costs.length < 2) return [];
  const value = Math.max(...costs) / Math.min(...costs);
  return [
    {
      metric: "produce, stated, largest by smallest",
      value,
      unit: "x",
      target: `≤ ${FLAT_WITHIN} x`,
      met: value <= FLAT_WITHIN,
      remark: `${costs.map(formatNumber).join(", ")} µs`,
    },
  ];
}
