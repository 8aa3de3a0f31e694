import { runChild } from "../lib/children.mjs";
import { formatNumber } from "../lib/report.mjs";
import { median } from "../lib/statistics.mjs";

export const FAN_OUT = "fan-out";

const SUBSCRIBERS = 1_000;

/**
 * Runs the case in processes of its own, and reports it.
 *
 * @param {{ processes: number, batches: number }} extent
 * @param {import("../lib/report.mjs").Report} report
 */
export async function measureFanOut({ processes, batches }, report) {
  /** @type {Record<string, import("./fan-out.mjs").FanOutFigures>[]} */
  const answers = [];
  for (let seed = 1; seed <= processes; seed += 1) {
    const input = { seed, subscribers: SUBSCRIBERS, batches, warmUpBatches: batches };
    answers.push(await runChild(new URL("./fan-out.mjs", import.meta.url), input));
  }
  const rows = Object.keys(answers[0] ?? {}).map((subject) => {
    const figures = /** @type {const} */ (["produce", "encodes", "stringifies"]).map((metric) => {
      const value = median(answers.flatMap((answer) => answer[subject]?.[metric] ?? []));
      if (!Number.isNaN(value)) {
        const unit = metric === "produce" ? "us/batch" : "1/batch";
        report.measured({ case: FAN_OUT, subject, metric, value, unit });
      }
      return formatNumber(value);
    });
    return [subject, ...figures];
  });
  report.table(`${FAN_OUT}: a batch for ${SUBSCRIBERS} subscribers, of whom some leave and others join all the time`, [
    ["", "produce µs/batch", "encodes/batch", "stringifies/batch"],
    ...rows,
  ]);
}
