import { readFileSync, writeFileSync } from "node:fs";

/**
 * Begins to watch what processes cost.
 *
 * @param {readonly number[]} pids
 * @returns {() => { cpuMs: number, rssGrowth: number }} CPU of all, and the growth of the one that grew most over what it
 *   had when this began, at its peak.
 */
export function watchProcesses(pids) {
  const before = pids.map((pid) => {
    forgetPeak(pid);
    return { pid, cpuMs: cpuOf(pid), rss: readStatus(pid, "VmRSS") };
  });
  return () => ({
    cpuMs: before.reduce((sum, { pid, cpuMs }) => sum + cpuOf(pid) - cpuMs, 0),
    rssGrowth: Math.max(...before.map(({ pid, rss }) => readStatus(pid, "VmHWM") - rss)),
  });
}

/** The kernel's record of the most memory that a process had begins anew. @param {number} pid */
function forgetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/**
 * @param {number} pid
 * @param {"VmRSS" | "VmHWM"} name
 * @returns {number} bytes
 */
function readStatus(pid, name) {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1]) * 1_024;
}

const TICK_MS = 10;

/** User and system time, without that of children. @param {number} pid */
function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
