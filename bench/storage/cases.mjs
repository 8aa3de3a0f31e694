import { runChild } from "../lib/children.mjs";
import { median } from "../lib/statistics.mjs";
import { BARE, SPILLWAY, SUBJECTS } from "./subjects/subject.mjs";
import { ENDLESS, FULL } from "./workload.mjs";

/**
 * @typedef {Record<string, number>} Figures By metric.
 * @typedef {Map<string, Map<string, Figures>>} StorageResult By case and subject.
 *
 * @typedef {object} StorageCase
 * @property {string} name
 * @property {string} title
 * @property {readonly string[]} subjects
 * @property {boolean} isLong Measured once: it takes minutes, and is a median or a sum of many already.
 * @property {(subjects: readonly string[], extent: { library: string, isQuick: boolean, run: number }) => Promise<Map<string, Figures>>} measure
 */

/** For as many syncs at the same time as pay off here. Node reads it when its first thread starts. */
export const THREADS = 64;

/** @type {readonly StorageCase[]} */
export const cases = [
  {
    name: "workload",
    title: "20 operations, each 400 pieces of a message and 2 commands with 60 checkpoints of a 50 KB window",
    subjects: SUBJECTS,
    isLong: true,
    measure: (subjects, { library, isQuick, run }) =>
      measureWorkload(subjects, {
        library,
        seed: run,
        extent: isQuick ? { ...FULL, operations: 1, frames: 40 } : FULL,
      }),
  },
  {
    name: "endless",
    title: "a command with 20,000 checkpoints",
    subjects: [SPILLWAY],
    isLong: true,
    measure: (subjects, { library, isQuick, run }) =>
      measureWorkload(subjects, { library, seed: run, extent: isQuick ? { ...ENDLESS, checkpoints: 300 } : ENDLESS }),
  },
  {
    name: "commit",
    title: "a record of 256 B, one at a time",
    subjects: [...SUBJECTS, BARE],
    isLong: false,
    measure: (subjects, { library, isQuick }) => measureCommits(subjects, library, isQuick),
  },
  ...[1, 64, 512].map((waiting) => waitingCase(`waiting-${waiting}`, `${waiting} waiting in one session`, waiting, 1)),
  waitingCase("sessions-512", "one waiting in each of 512 sessions", 512, 512),
  openCase("open-1k", 1_000, 100),
  openCase("open-100k", 100_000, 100),
  openCase("open-1m", 1_000_000, 100),
  openCase("open-500mb", 100_000, 5_000),
];

/** @type {Record<string, string>} */
export const UNITS = {
  written: "B",
  most: "B",
  end: "B",
  settled: "B",
  "sidecar peak": "B",
  "main log": "B",
  syncs: "",
  commit: "us",
  acks: "1/s",
  p50: "us",
  p99: "us",
  bytes: "B",
  open: "ms",
  recover: "ms",
  memory: "B",
};

/**
 * @param {readonly string[]} subjects
 * @param {{ library: string, seed: number, extent: import("./workload.mjs").Extent }} input
 */
async function measureWorkload(subjects, input) {
  /** @type {Map<string, Figures>} */
  const figures = new Map();
  for (const subject of subjects) {
    const program = new URL("./run-workload.mjs", import.meta.url);
    /** @type {import("./run-workload.mjs").WorkloadFigures} */
    const { sidecarPeak, main, ...rest } = await runChild(program, { ...input, subject });
    const own =
      sidecarPeak === undefined || main === undefined ? {} : { "sidecar peak": sidecarPeak, "main log": main };
    figures.set(subject, { ...rest, ...own });
  }
  return figures;
}

/**
 * @param {readonly string[]} names
 * @param {string} library
 * @param {boolean} isQuick
 */
async function measureCommits(names, library, isQuick) {
  const program = new URL("./run-commits.mjs", import.meta.url);
  const subjects = names.filter((name) => name !== BARE);
  const extent = isQuick
    ? { warmUp: 1_000, chunks: 2, chunkLength: 10 }
    : { warmUp: 20_000, chunks: 40, chunkLength: 25 };
  /** @type {Record<string, number>} */
  const times = await runChild(program, { library, subjects, ...extent });
  return new Map(Object.entries(times).map(([name, commit]) => [name, { commit }]));
}

/**
 * @param {string} name
 * @param {string} title
 * @param {number} waiting
 * @param {number} sessions
 * @returns {StorageCase}
 */
function waitingCase(name, title, waiting, sessions) {
  return {
    name,
    title,
    subjects: sessions === 1 ? SUBJECTS : [...SUBJECTS, BARE],
    isLong: false,
    async measure(subjects, { library, isQuick }) {
      const program = new URL("./run-waiting.mjs", import.meta.url);
      const count = isQuick ? Math.min(sessions, 8) : sessions;
      const time = isQuick ? { warmUpMs: 20, measureMs: 50 } : { warmUpMs: 2_000, measureMs: 3_000 };
      /** @type {Map<string, Figures>} */
      const figures = new Map();
      for (const subject of subjects) {
        const input = { library, subject, waiting, sessions: count, ...time };
        figures.set(subject, await runChild(program, input, { environment: { UV_THREADPOOL_SIZE: String(THREADS) } }));
      }
      return figures;
    },
  };
}

/**
 * @param {string} name
 * @param {number} records
 * @param {number} recordBytes
 * @returns {StorageCase}
 */
function openCase(name, records, recordBytes) {
  return {
    name,
    title: `open a session of ${records.toLocaleString("en-US")} records of ${recordBytes.toLocaleString("en-US")} B`,
    subjects: SUBJECTS.filter((subject) => !subject.includes("fsync off") && !subject.includes("synced")),
    isLong: records * recordBytes > 50_000_000,
    async measure(subjects, { library, isQuick }) {
      const program = new URL("./run-open.mjs", import.meta.url);
      /** @type {Map<string, Figures>} */
      const figures = new Map();
      for (const subject of subjects) {
        const input = { library, subject, records: isQuick ? 200 : records, recordBytes, rounds: isQuick ? 1 : 3 };
        const answer = await runChild(program, input, {
          nodeOptions: ["--expose-gc", "--max-old-space-size=8192"],
        }).catch(() => undefined);
        // What a rival cannot open at all has no figures.
        if (answer === undefined) continue;
        const middle = (/** @type {string} */ metric) =>
          median(answer.figures.map((/** @type {Record<string, number | null>} */ one) => one[metric] ?? NaN));
        figures.set(subject, {
          bytes: answer.bytes,
          open: middle("open"),
          recover: middle("recover"),
          memory: answer.figures[0].memory,
        });
      }
      return figures;
    },
  };
}
