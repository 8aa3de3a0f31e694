// A process with all the subscribers: one consumer that folds, which shows that the value arrives, and readers of frames.
import { follow } from "../dist/spillway/wire/client/index.js";
import { connectToStream } from "../dist/spillway/wire/index.js";
import { answerParent, childInput } from "../lib/children.mjs";
import { nowMicros, readTimeMarks } from "../lib/monotonic.mjs";
import { quantile } from "../lib/statistics.mjs";
import { existsSync } from "node:fs";
import { waitUntil } from "./pace.mjs";
import { FACET_PATH, TOKEN } from "./played-lane.mjs";
import { subscribeAndStall, subscribeRaw } from "./raw-subscriber.mjs";

/**
 * @typedef {object} SubscribersInput
 * @property {string} socketPath
 * @property {number} subscribers Those that read.
 * @property {number} stalled Those that do not.
 * @property {number} warmUpBatches Of each subscriber, not counted.
 *
 * @typedef {{ p50: number, p99: number, batches: number, value: unknown }} SubscribersAnswer µs from event to arrival
 */

/** @type {SubscribersInput} */
const { socketPath, subscribers, stalled, warmUpBatches } = childInput();
/** @type {number[]} */
const latencies = [];

await waitUntil(() => existsSync(socketPath), "the socket");
const lazy = Array.from({ length: stalled }, () => subscribeAndStall(socketPath));
const following = follow({ connect: () => connectToStream({ socketPath, token: TOKEN }, FACET_PATH) });
const note = countFrom(warmUpBatches);
following.consumer.onChange(({ batch }) => {
  const [sentAt] = batch[0]?.[0] === "r" ? [] : readTimeMarks(JSON.stringify(batch));
  if (sentAt !== undefined) note(nowMicros() - sentAt);
});
/** @type {Promise<void>[]} */
const readers = [];
// One after the other: a socket file lets only some hundreds wait until they are accepted, and refuses the others.
for (let reader = 1; reader < subscribers; reader += 1) {
  const { joined, ended } = subscribeRaw(socketPath, countFrom(warmUpBatches));
  readers.push(ended);
  await joined;
}
await Promise.all([following.ended, ...readers]);
for (const one of lazy) one.leave();

answerParent({
  p50: quantile(latencies, 0.5),
  p99: quantile(latencies, 0.99),
  batches: latencies.length,
  value: following.consumer.value,
});

/**
 * Notes all latencies but the first ones.
 *
 * @param {number} skipped
 */
function countFrom(skipped) {
  let count = 0;
  return (/** @type {number} */ latency) => {
    count += 1;
    if (count > skipped) latencies.push(latency);
  };
}
