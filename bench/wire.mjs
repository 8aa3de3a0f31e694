import { formatNumber } from "./lib/report.mjs";
import { median } from "./lib/statistics.mjs";
import { runFanOut } from "./wire/fan-out.mjs";
import { runLines } from "./wire/lines.mjs";

/**
 * @typedef {import("./lib/report.mjs").Report} Report
 *
 * @typedef {object} WireCase
 * @property {string} name
 * @property {string} title
 * @property {readonly WireSubject[]} subjects Run by turns.
 * @property {(medians: ReadonlyMap<string, Record<string, number>>) => readonly Finding[]} [compare]
 *
 * @typedef {object} WireSubject
 * @property {string} name
 * @property {(extent: Extent) => Promise<Record<string, number>>} run Gives figures by the names in {@link UNITS}.
 *
 * @typedef {object} Finding
 * @property {string} metric
 * @property {number} value
 * @property {string} unit
 * @property {string} text
 *
 * @typedef {{ seconds: number, warmUpSeconds: number, lines: number }} Extent
 */

const BATCHES_PER_SECOND = 20;
const RUNS = 5;
/** @type {Extent} */
const FULL = { seconds: 5, warmUpSeconds: 1, lines: 100 };
/** @type {Extent} */
const QUICK = { seconds: 0.6, warmUpSeconds: 0.2, lines: 10 };
const LINE_BYTES = 1_024;
const LARGE_BYTES = 12_800;

/** @type {Readonly<Record<string, string>>} */
const UNITS = {
  p50: "us",
  p99: "us",
  cpu: "us/batch",
  encodes: "1/batch",
  sent: "B/batch",
  memory: "B",
  "memory for subscribers": "B",
  base: "B",
  waiting: "B",
};

/** @type {readonly WireCase[]} */
const cases = [
  ...[1, 100, 1_000].map(fanOutCase),
  stalledCase(),
  lineCase("line-quiet", "a command prints a line every 300 ms or so: nothing waits", 300),
  lineCase("line-busy", "a command prints a line every 20 ms or so: updates are paced, one in 100 ms", 20),
];

/** @type {import("./run.mjs").Bench} */
export const bench = {
  title: "what it costs to show a run elsewhere, and how long that takes",
  cases: cases.map(({ name }) => name),
  async run({ quick, cases: names }, report) {
    for (const one of cases.filter(({ name }) => names.includes(name))) {
      report.progress(`wire: ${one.name}`);
      await runCase(one, quick ? 1 : RUNS, quick ? QUICK : FULL, report);
    }
  },
};

/**
 * @param {WireCase} one
 * @param {number} runs
 * @param {Extent} extent
 * @param {Report} report
 */
async function runCase(one, runs, extent, report) {
  const { name: caseName, subjects, title } = one;
  /** @type {Map<string, Record<string, number>[]>} */
  const results = new Map(subjects.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const { name, run: measure } of subjects) results.get(name)?.push(await measure(extent));
  }
  const medians = new Map([...results].map(([name, figures]) => [name, medianOfEach(figures)]));
  const metrics = [...new Set([...medians.values()].flatMap((figures) => Object.keys(figures)))];
  for (const [subject, figures] of medians) {
    for (const [metric, value] of Object.entries(figures)) {
      report.measured({ case: caseName, subject, metric, value, unit: UNITS[metric] ?? "" });
    }
  }
  report.table(`${caseName}: ${title}`, [
    ["", ...metrics.map((metric) => `${metric} ${UNITS[metric]}`)],
    ...[...medians].map(([subject, figures]) => [subject, ...metrics.map((metric) => formatNumber(figures[metric]))]),
  ]);
  for (const { metric, value, unit, text } of one.compare?.(medians) ?? []) {
    report.measured({ case: caseName, subject: "spillway", metric, value, unit });
    report.say(text);
  }
}

/** @param {readonly Record<string, number>[]} figures */
function medianOfEach(figures) {
  return Object.fromEntries(
    Object.keys(figures[0] ?? {}).map((metric) => [metric, median(figures.map((one) => one[metric] ?? Number.NaN))]),
  );
}

/**
 * @param {number} subscribers
 * @returns {WireCase}
 */
function fanOutCase(subscribers) {
  const run = (/** @type {"spillway" | "bare Node"} */ server) => (/** @type {Extent} */ extent) =>
    measureFanOut({ server, subscribers, batchBytes: LINE_BYTES }, extent);
  return {
    name: `subscribers-${subscribers}`,
    title: `1 lane, ${BATCHES_PER_SECOND} batches/s of 1 KiB, ${subscribers} over a unix socket`,
    subjects: [
      { name: "spillway", run: run("spillway") },
      { name: "bare Node", run: run("bare Node") },
    ],
    compare: (medians) => ["cpu", "p50", "p99"].map((metric) => compareServers(medians, metric)),
  };
}

/**
 * @param {ReadonlyMap<string, Record<string, number>>} medians
 * @param {string} metric
 * @returns {Finding}
 */
function compareServers(medians, metric) {
  const value = (medians.get("spillway")?.[metric] ?? Number.NaN) / (medians.get("bare Node")?.[metric] ?? Number.NaN);
  const text = `${metric}: ${formatNumber(value)} times that of a program that only writes the same bytes`;
  return { metric: `${metric} by bare`, value, unit: "x", text };
}

/** @returns {WireCase} */
function stalledCase() {
  const subscribers = 20;
  const run = (/** @type {number} */ stalled) => (/** @type {Extent} */ extent) =>
    measureFanOut({ server: "spillway", subscribers, stalled, batchBytes: LARGE_BYTES }, extent);
  return {
    name: "stalled",
    title: `${subscribers} that read, ${BATCHES_PER_SECOND} batches/s of 12.5 KiB, without and with one that reads nothing`,
    subjects: [
      { name: "all read", run: run(0) },
      { name: "one stalls", run: run(1) },
    ],
    compare(medians) {
      const without = medians.get("all read") ?? {};
      const beside = medians.get("one stalls") ?? {};
      const latencies = ["p50", "p99"].map((metric) => {
        const value = (beside[metric] ?? Number.NaN) / (without[metric] ?? Number.NaN);
        const text = `${metric} of those that read: ${formatNumber(value)} times what it is without the one that stalls`;
        return { metric: `${metric} by all read`, value, unit: "x", text };
      });
      const part = (beside["waiting"] ?? Number.NaN) / (beside["base"] ?? Number.NaN);
      const verdict = part <= 1 ? "met" : "MISSED";
      const text = `it costs the host ${formatNumber(part)} of a base batch at most (target: under 1, ${verdict})`;
      return [...latencies, { metric: "waiting by base", value: part, unit: "x", text }];
    },
  };
}

/**
 * @param {Omit<import("./wire/fan-out.mjs").FanOut, "pace">} fanOut
 * @param {Extent} extent
 */
async function measureFanOut(fanOut, { seconds, warmUpSeconds }) {
  const pace = {
    batchesPerSecond: BATCHES_PER_SECOND,
    batches: seconds * BATCHES_PER_SECOND,
    warmUpBatches: warmUpSeconds * BATCHES_PER_SECOND,
  };
  const { host, arrivals } = await runFanOut({ ...fanOut, pace });
  const figures = {
    p50: arrivals.p50,
    p99: arrivals.p99,
    cpu: host.cpuMicros,
    memory: host.rss,
    "memory for subscribers": host.rss - host.idleRss,
  };
  if (fanOut.server === "bare Node") return figures;
  const own = { ...figures, encodes: host.encodesPerBatch, sent: host.bytesEach };
  return fanOut.stalled === undefined ? own : { ...own, base: host.baseBytes, waiting: host.pendingBytes };
}

/**
 * @param {string} name
 * @param {string} title
 * @param {number} everyMs
 * @returns {WireCase}
 */
function lineCase(name, title, everyMs) {
  return {
    name,
    title,
    subjects: [{ name: "spillway", run: async ({ lines }) => measureLines({ lines, everyMs }) }],
  };
}

/** @param {{ lines: number, everyMs: number }} printing */
async function measureLines(printing) {
  const { p50, p99 } = await runLines(printing);
  return { p50, p99 };
}
