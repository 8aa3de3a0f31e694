// Puts the figures of a run into docs/storage.md.
//
//   npm run --silent bench -- storage --json | node bench/storage/page.mjs [PAGE]
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawTable, fillPart, readFigures } from "../lib/page.mjs";
import { formatNumber } from "../lib/report.mjs";
import { cases } from "./cases.mjs";
import { BARE, PI, SUBJECTS } from "./subjects/subject.mjs";
import { judgeAll } from "./targets.mjs";

const PAGE = process.argv[2] ?? fileURLToPath(new URL("../../docs/storage.md", import.meta.url));
const MB = 1_000_000;

const figures = await readFigures(process.stdin);
const missing = cases.filter(({ name }) => !figures.get(name)?.has(PI) && name !== "endless").map(({ name }) => name);
if (missing.length > 0)
  throw new Error(`no figures of ${missing.join(", ")}; give a whole run with --json on standard input`);

const parts = { files: drawFiles(), commits: drawCommits(), openings: drawOpenings(), targets: drawTargets() };
const page = Object.entries(parts).reduce(
  (text, [part, table]) => fillPart(text, part, table),
  readFileSync(PAGE, "utf8"),
);
writeFileSync(PAGE, page);

function drawFiles() {
  const inMb = (/** @type {string} */ metric) => (/** @type {string} */ subject) =>
    `${of("workload", subject, metric, MB)} MB`;
  return drawSubjects(SUBJECTS, {
    written: inMb("written"),
    "all files, at most": inMb("most"),
    "in the end": inMb("end"),
    syncs: (subject) => of("workload", subject, "syncs"),
    "a commit": (subject) => `${of("workload", subject, "commit")} µs`,
  });
}

function drawCommits() {
  const acks = (/** @type {string} */ name) => (/** @type {string} */ subject) => of(name, subject, "acks");
  return drawSubjects([...SUBJECTS, BARE], {
    "one at a time": (subject) => `${of("commit", subject, "commit")} µs`,
    "1 waits": acks("waiting-1"),
    "64 wait": acks("waiting-64"),
    "512 wait": acks("waiting-512"),
    "512 sessions": acks("sessions-512"),
    "p99 of those": (subject) => `${of("sessions-512", subject, "p99", 1_000)} ms`,
  });
}

function drawOpenings() {
  const open = (/** @type {string} */ name) => (/** @type {string} */ subject) =>
    `${of(name, subject, "open")} ms, ${of(name, subject, "memory", MB)} MB`;
  const subjects = SUBJECTS.filter((subject) => figures.get("open-1k")?.has(subject));
  return drawSubjects(subjects, {
    "1,000 records": open("open-1k"),
    "100,000": open("open-100k"),
    "1,000,000": open("open-1m"),
    "100,000 of 5 KB": open("open-500mb"),
  });
}

function drawTargets() {
  const rows = judgeAll(withoutVerdicts()).map(({ case: name, metric, value, unit, target, met, remark = "" }) => [
    cases.find((one) => one.name === name)?.title ?? name,
    metric,
    target,
    `${value < 10 ? value.toPrecision(3) : formatNumber(value)} ${unit}`,
    met ? "met" : "missed",
    remark,
  ]);
  return drawTable([["case", "what", "aim", "is", "", ""], ...rows]);
}

/** The run's own verdicts come under spillway's name too, behind what they were made of. */
function withoutVerdicts() {
  const names = new Set(cases.map(({ name }) => name));
  return new Map([...figures].filter(([name]) => names.has(name)));
}

/**
 * @param {readonly string[]} subjects
 * @param {Record<string, (subject: string) => string>} columns
 */
function drawSubjects(subjects, columns) {
  const rows = subjects.map((subject) => [subject, ...Object.values(columns).map((cell) => cell(subject))]);
  return drawTable([["", ...Object.keys(columns)], ...rows]);
}

/**
 * @param {string} name
 * @param {string} subject
 * @param {string} metric
 * @param {number} unit
 */
function of(name, subject, metric, unit = 1) {
  const value = figures.get(name)?.get(subject)?.[metric];
  return formatNumber(value === undefined ? undefined : value / unit);
}
