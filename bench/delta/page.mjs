// Puts the figures of a run into docs/delta.md: a table, and a plot in docs/delta.svg.
//
//   npm run --silent bench -- delta --json | node bench/delta/page.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawTable, fillPart, readFigures } from "../lib/page.mjs";
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

const figures = await readFigures(process.stdin);

const shown = cases.filter(({ name }) => SUBJECTS.every((subject) => figures.get(name)?.has(subject)));
if (shown.length === 0) throw new Error("no case of the bench was read; give its lines with --json on standard input");

const page = readFileSync(PAGE, "utf8");
const plot = "![Time of one flush from mutation to the folded copy, per case and library](delta.svg)";
writeFileSync(PAGE, fillPart(fillPart(page, "table", drawCases()), "plot", plot));
writeFileSync(
  PLOT,
  drawPlot(
    SUBJECTS,
    shown.map(({ name, title }) => ({ title, values: SUBJECTS.map((subject) => total(name, subject)) })),
  ),
);

function drawCases() {
  const rows = shown.map(({ name, title }) => [
    title,
    ...[...SUBJECTS, "floor"].map((subject) => {
      const { produce, consume, bytes } = figures.get(name)?.get(subject) ?? {};
      return `${formatNumber(produce)} / ${formatNumber(consume)}<br>${formatNumber(bytes)} B`;
    }),
  ]);
  return drawTable([["one flush: produce / consume in µs, bytes", ...SUBJECTS, "floor"], ...rows]);
}

/**
 * @param {string} name
 * @param {string} subject
 */
function total(name, subject) {
  const { produce = NaN, consume = NaN } = figures.get(name)?.get(subject) ?? {};
  return produce + consume;
}
