// Puts the figures of a run into docs/exec.md.
//
//   npm run --silent bench -- exec --json | node bench/exec/page.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { formatNumber } from "../lib/report.mjs";
import { cases } from "./cases.mjs";
import { subjects } from "./subjects/index.mjs";

/** @typedef {import("../lib/report.mjs").Measurement} Measurement */

const PAGE = fileURLToPath(new URL("../../docs/exec.md", import.meta.url));

/** @type {Measurement[]} */
const measured = [];
for await (const line of createInterface({ input: process.stdin })) measured.push(JSON.parse(line));
if (measured.length === 0)
  throw new Error("no figure was read; give the lines of the bench with --json on standard input");

const tables = {
  floods: drawTable("MB/s<br>CPU ms, growth of memory, event loop p99", "flood", (figure) => [
    figure("rate"),
    `${figure("cpuMs")} ms, ${figure("rssGrowth", 1_048_576)} MiB, ${figure("loopP99")} ms`,
  ]),
  builds: drawTable(
    "bytes of updates, their number<br>first update, line printed → update p50 / p99",
    "build",
    (figure) => [
      `${figure("updateBytes")} B in ${figure("updates")}`,
      `${figure("firstUpdate")}, ${figure("p50")} / ${figure("p99")} ms`,
    ],
  ),
  calls: drawTable("ms a call", "calls", (figure) => [`${figure("call")}, p99 ${figure("callP99")}`]),
  starts: drawTable("ms from start to settle", "start", (figure) => [figure("call")]),
  targets: drawTargets(),
};
const page = Object.entries(tables).reduce(
  (text, [part, table]) => fill(text, part, table),
  readFileSync(PAGE, "utf8"),
);
writeFileSync(PAGE, fill(page, "machine", `Node ${process.versions.node}, ${cpus().length} cores.`));

/**
 * @param {string} heading
 * @param {import("./cases.mjs").ExecCase["kind"]} kind
 * @param {(figure: (metric: string, unit?: number) => string) => readonly string[]} cell
 */
function drawTable(heading, kind, cell) {
  const shown = cases.filter((one) => one.kind === kind && measured.some((figure) => figure.case === one.name));
  const known = subjects.filter(({ name }) =>
    shown.some((one) => find(one.name, name, "ms") ?? find(one.name, name, "call")),
  );
  const rows = known.map(({ name: subject }) => [
    subject,
    ...shown.map(({ name }) =>
      cell((metric, unit = 1) => formatNumber((find(name, subject, metric) ?? Number.NaN) / unit)).join("<br>"),
    ),
  ]);
  return toMarkdown([[heading, ...shown.map(({ title }) => title)], ...rows]);
}

function drawTargets() {
  const rows = measured.flatMap(({ case: name, subject, metric, value, unit, target, met }) =>
    target === undefined
      ? []
      : [[name, subject, metric, `${formatNumber(value)} ${unit}`, target, met === true ? "met" : "**missed**"]],
  );
  return toMarkdown([["case", "subject", "what", "is", "aim", ""], ...rows]);
}

/**
 * @param {string} name
 * @param {string} subject
 * @param {string} metric
 */
function find(name, subject, metric) {
  return measured.find((one) => one.case === name && one.subject === subject && one.metric === metric)?.value;
}

/** @param {readonly (readonly string[])[]} rows The first has the headings. */
function toMarkdown([head = [], ...rows]) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * @param {string} text
 * @param {string} part
 * @param {string} content
 */
function fill(text, part, content) {
  const [begin, end] = [`<!-- bench ${part}: begin -->`, `<!-- bench ${part}: end -->`];
  const [before, rest] = [text.split(begin)[0], text.split(end)[1]];
  if (before === undefined || rest === undefined) throw new Error(`docs/exec.md has no place for the ${part}`);
  return `${before}${begin}\n\n${content}\n\n${end}${rest}`;
}
