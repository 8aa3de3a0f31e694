// One subject runs one case, in a process of its own.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { answerParent, childInput } from "../lib/children.mjs";
import { nowMicros, readTimeMarks } from "../lib/monotonic.mjs";
import { median, quantile } from "../lib/statistics.mjs";
import { watchProcesses } from "./process-cost.mjs";
import { findSubject } from "./subjects/index.mjs";

/**
 * @typedef {object} RunInput
 * @property {string} subject
 * @property {"flood" | "build" | "calls"} kind
 * @property {string} command
 * @property {number} calls
 *
 * @typedef {Record<string, number>} Figures
 */

/** @type {RunInput} */
const { subject: name, kind, command, calls } = childInput();
const folder = mkdtempSync(join(tmpdir(), "spillway-bench-"));
const entry = findSubject(name);
const subject = await entry.open(folder);
try {
  // Whatever is loaded or compiled at a first run is not what is measured.
  for (let warmUp = 0; warmUp < 3; warmUp += 1) await subject.run("seq 1 30000; printf 'open line'");
  await new Promise((resolve) => setTimeout(resolve, 200));
  answerParent(kind === "calls" ? await measureCalls() : await measureRun());
} finally {
  await subject.close();
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {Promise<Figures>} */
async function measureRun() {
  let updates = 0;
  let updateBytes = 0;
  let firstUpdate = Number.NaN;
  /** @type {number[]} */
  const delays = [];
  let seen = 0;
  const cost = watchProcesses([process.pid, ...subject.pids()]);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const start = performance.now();
  const { bytes, lines } = await subject.run(command, (update) => {
    updates += 1;
    updateBytes += Buffer.byteLength(update);
    if (kind === "flood") return;
    const now = nowMicros();
    for (const mark of readTimeMarks(update)) {
      // A subject that sends its window again shows a line more than once; its first showing counts.
      if (mark <= seen) continue;
      if (seen === 0) firstUpdate = (now - mark) / 1_000;
      seen = mark;
      delays.push((now - mark) / 1_000);
    }
  });
  const ms = performance.now() - start;
  delay.disable();
  return {
    ms,
    ...cost(),
    ...(kind === "flood" && { loopP99: delay.percentile(99) / 1_000_000 }),
    ...(bytes !== undefined && { bytes }),
    ...(lines !== undefined && { lines }),
    ...(entry.updates && { updates, updateBytes }),
    ...(delays.length > 0 && { firstUpdate, p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) }),
  };
}

/** @returns {Promise<Figures>} */
async function measureCalls() {
  /** @type {number[]} */
  const times = [];
  const cost = watchProcesses([process.pid, ...subject.pids()]);
  for (let call = 0; call < calls; call += 1) {
    const start = performance.now();
    await subject.run(command, () => undefined);
    times.push(performance.now() - start);
  }
  return { call: median(times), callP99: quantile(times, 0.99), ...cost() };
}
