/**
 * @typedef {object} Measurement
 * @property {string} case
 * @property {string} subject
 * @property {string} metric
 * @property {number} value
 * @property {string} unit
 * @property {string} [target] In words, where something is aimed at.
 * @property {boolean} [met]
 */

/**
 * Where a bench says what it found: figures for programs with `--json`, tables and sentences for people without.
 *
 * @typedef {object} Report
 * @property {(measurement: Measurement) => void} measured
 * @property {(title: string, rows: readonly (readonly string[])[]) => void} table The first row holds the headings.
 * @property {(text: string) => void} say
 * @property {(text: string) => void} progress What goes on meanwhile, on stderr.
 */

/**
 * @param {string} bench
 * @param {boolean} asJson
 * @returns {Report}
 */
export function createReport(bench, asJson) {
  /** @param {string} text */
  const print = (text) => process.stdout.write(`${text}\n`);
  return {
    measured({ case: name, subject, metric, value, unit, target, met }) {
      if (asJson) print(JSON.stringify({ bench, case: name, subject, metric, value, unit, target, met }));
    },
    table(title, rows) {
      if (!asJson) print(`\n${title}\n${alignColumns(rows)}`);
    },
    say(text) {
      if (!asJson) print(text);
    },
    progress(text) {
      process.stderr.write(`${text}\n`);
    },
  };
}

/** @param {readonly (readonly string[])[]} rows */
function alignColumns(rows) {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * Three digits that count.
 *
 * @param {number | undefined} value
 */
export function formatNumber(value) {
  if (value === undefined || Number.isNaN(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(value !== 0 && Math.abs(value) < 10 ? 2 : 3)));
}
