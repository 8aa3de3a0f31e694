import { formatNumber } from "../lib/report.mjs";
import { cases, UNITS } from "./cases.mjs";

/**
 * A table for each case, with spillway first.
 *
 * @param {import("./cases.mjs").StorageResult} result
 * @param {import("../lib/report.mjs").Report} report
 */
export function tabulate(result, report) {
  for (const [name, subjects] of result) {
    const metrics = [...new Set([...subjects.values()].flatMap((figures) => Object.keys(figures)))];
    const title = cases.find((one) => one.name === name)?.title ?? "";
    report.table(`${name}: ${title}`, [
      ["", ...metrics.map((metric) => `${metric} ${UNITS[metric] ?? ""}`.trimEnd())],
      ...[...subjects].map(([subject, figures]) => [
        subject,
        ...metrics.map((metric) => formatNumber(figures[metric])),
      ]),
    ]);
  }
}
