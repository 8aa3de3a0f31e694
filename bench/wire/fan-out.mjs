import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChild } from "../lib/children.mjs";
import { findDifference } from "../lib/difference.mjs";

/**
 * @typedef {import("./host.mjs").HostAnswer} HostAnswer
 * @typedef {import("./subscribers.mjs").SubscribersAnswer} SubscribersAnswer
 *
 * @typedef {object} FanOut
 * @property {"spillway" | "bare Node"} server
 * @property {number} subscribers Those that read.
 * @property {number} [stalled] Those that do not; default none.
 * @property {number} batchBytes
 * @property {import("./pace.mjs").Pace} pace
 */

const PROGRAMS = {
  spillway: new URL("./host.mjs", import.meta.url),
  "bare Node": new URL("./bare-host.mjs", import.meta.url),
};

/**
 * A server in one process, its subscribers in another. The consumer must end with the host's value, and every subscriber
 * must have had every batch.
 *
 * @param {FanOut} fanOut
 * @returns {Promise<{ host: HostAnswer, arrivals: SubscribersAnswer }>}
 */
export async function runFanOut({ server, subscribers, stalled = 0, batchBytes, pace }) {
  const folder = await mkdtemp(join(tmpdir(), "spillway-bench-"));
  const socketPath = join(folder, "s");
  try {
    const [host, arrivals] = await Promise.all([
      runChild(PROGRAMS[server], {
        socketPath,
        batchBytes,
        subscribers: subscribers + stalled,
        hasStalled: stalled > 0,
        pace,
      }),
      runChild(new URL("./subscribers.mjs", import.meta.url), {
        socketPath,
        subscribers,
        stalled,
        warmUpBatches: pace.warmUpBatches,
      }),
    ]);
    check(server, host, arrivals, subscribers * pace.batches);
    return { host, arrivals };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} server
 * @param {HostAnswer} host
 * @param {SubscribersAnswer} arrivals
 * @param {number} expected
 */
function check(server, host, arrivals, expected) {
  // The bare server's frames are older than the times in them.
  const difference =
    server === "spillway" ? findDifference(arrivals.value, host.value, "the consumer's value") : undefined;
  if (difference !== undefined) throw new Error(`not the same at the end: ${difference}`);
  if (arrivals.batches !== expected) {
    throw new Error(`${server}: ${arrivals.batches} batches arrived, ${expected} were sent`);
  }
}
