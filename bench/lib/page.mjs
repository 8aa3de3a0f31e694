import { createInterface } from "node:readline";

/**
 * The figures of a bench that ran with `--json`, by case and subject, each by metric.
 *
 * @param {NodeJS.ReadableStream} input
 * @returns {Promise<Map<string, Map<string, Record<string, number>>>>}
 */
export async function readFigures(input) {
  /** @type {Map<string, Map<string, Record<string, number>>>} */
  const figures = new Map();
  for await (const line of createInterface({ input })) {
    /** @type {import("./report.mjs").Measurement} */
    const { case: name, subject, metric, value } = JSON.parse(line);
    const subjects = figures.get(name) ?? new Map();
    figures.set(name, subjects.set(subject, { ...subjects.get(subject), [metric]: value }));
  }
  return figures;
}

/**
 * A table as the formatter of this repository leaves it.
 *
 * @param {readonly (readonly string[])[]} rows The first holds the headings.
 */
export function drawTable(rows) {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...body]
    .map((cells) => `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`)
    .join("\n");
}

/**
 * A page with this between the marks of one of its parts.
 *
 * @param {string} page
 * @param {string} part
 * @param {string} content
 */
export function fillPart(page, part, content) {
  const [begin, end] = [`<!-- bench ${part}: begin -->`, `<!-- bench ${part}: end -->`];
  const [before, rest] = [page.split(begin)[0], page.split(end)[1]];
  if (before === undefined || rest === undefined) throw new Error(`the page has no place for the ${part}`);
  return `${before}${begin}\n\n${content}\n\n${end}${rest}`;
}
