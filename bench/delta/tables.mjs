import { formatNumber } from "../lib/report.mjs";
import { cases } from "./cases.mjs";

/**
 * A table for each case: the fastest first, with how many times slower than spillway's stated edits each is.
 *
 * @param {import("../delta.mjs").DeltaResult} result
 * @param {import("../lib/report.mjs").Report} report
 */
export function tabulate(result, report) {
  for (const [name, subjects] of result) {
    const own = subjects.get("spillway stated");
    const rows = [...subjects].map(([subject, { produce, consume, bytes }]) => [
      subject,
      formatNumber(produce),
      formatRatio(produce, own?.produce),
      formatNumber(consume),
      formatRatio(consume, own?.consume),
      formatNumber(bytes),
    ]);
    const title = cases.find((one) => one.name === name)?.title ?? "";
    report.table(`${name}: ${title}`, [["", "produce µs", "", "consume µs", "", "bytes"], ...rows]);
  }
}

/**
 * @param {number} value
 * @param {number | undefined} own
 */
function formatRatio(value, own) {
  return own === undefined || own === 0 ? "" : `${formatNumber(value / own)}x`;
}
