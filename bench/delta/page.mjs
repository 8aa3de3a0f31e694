// Puts the figures of a run into docs/delta.md: a table, and a plot in docs/delta.svg.
//
//   npm run --silent bench -- delta --json | node bench/delta/page.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { formatNumber } from "../lib/report.mjs";
import { cases } from "./cases.mjs";
import { drawPlot } from "./plot.mjs";

const PAGE = fileURLToPath(new URL("../../docs/delta.md", import.meta.url));
const PLOT = fileURLToPath(new URL("../../docs/delta.svg", import.meta.url));
const SUBJECTS = [
  "spillway stated",
  "spillway plain",
  "chord",
  "immer",
  "mutative",
  "fast-json-patch",
  "yjs",
  "snapshot",
];

/** @type {Map<string, Map<string, Record<string, number>>>} By case and subject: figures by metric. */
const figures = new Map();
for await (const line of createInterface({ input: process.stdin })) note(JSON.parse(line));

const shown = cases.filter(({ name }) => SUBJECTS.every((subject) => figures.get(name)?.has(subject)));
if (shown.length === 0) throw new Error("no case of the bench was read; give its lines with --json on standard input");

const page = readFileSync(PAGE, "utf8");
const plot = "![Time of one flush from mutation to the folded copy, per case and library](delta.svg)";
writeFileSync(PAGE, fill(fill(page, "table", drawTable()), "plot", plot));
writeFileSync(
  PLOT,
  drawPlot(
    SUBJECTS,
    shown.map(({ name, title }) => ({ title, values: SUBJECTS.map((subject) => total(name, subject)) })),
  ),
);

/** @param {import("../lib/report.mjs").Measurement} measurement */
function note({ case: name, subject, metric, value }) {
  const subjects = figures.get(name) ?? new Map();
  figures.set(name, subjects.set(subject, { ...subjects.get(subject), [metric]: value }));
}

function drawTable() {
  const rows = shown.map(({ name, title }) => [
    title,
    ...[...SUBJECTS, "floor"].map((subject) => {
      const { produce, consume, bytes } = figures.get(name)?.get(subject) ?? {};
      return `${formatNumber(produce)} / ${formatNumber(consume)}<br>${formatNumber(bytes)} B`;
    }),
  ]);
  const head = ["one flush: produce / consume in µs, bytes", ...SUBJECTS, "floor"];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * @param {string} name
 * @param {string} subject
 */
function total(name, subject) {
  const { produce = NaN, consume = NaN } = figures.get(name)?.get(subject) ?? {};
  return produce + consume;
}

/**
 * @param {string} text
 * @param {string} part
 * @param {string} content
 */
function fill(text, part, content) {
  const [begin, end] = [`<!-- bench ${part}: begin -->`, `<!-- bench ${part}: end -->`];
  const [before, rest] = [text.split(begin)[0], text.split(end)[1]];
  if (before === undefined || rest === undefined) throw new Error(`docs/delta.md has no place for the ${part}`);
  return `${before}${begin}\n\n${content}\n\n${end}${rest}`;
}
