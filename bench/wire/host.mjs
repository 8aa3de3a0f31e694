// A process that serves a lane over a unix socket, as `spillway run` does.
import { createWireServer } from "../dist/spillway/wire/index.js";
import { answerParent, childInput } from "../lib/children.mjs";
import { playAtPace, waitUntil } from "./pace.mjs";
import { createPlayedLane, TOKEN } from "./played-lane.mjs";

/**
 * @typedef {object} HostInput
 * @property {string} socketPath
 * @property {number} batchBytes
 * @property {number} subscribers
 * @property {boolean} hasStalled Whether one of them does not read.
 * @property {import("./pace.mjs").Pace} pace
 *
 * @typedef {import("./pace.mjs").PlayedCosts & {
 *   encodesPerBatch: number, bytesEach: number, baseBytes: number, pendingBytes: number, value: unknown
 * }} HostAnswer
 */

/** @type {HostInput} */
const { socketPath, batchBytes, subscribers, hasStalled, pace } = childInput();
const lane = createPlayedLane(batchBytes, pace.warmUpBatches + pace.batches);
const server = createWireServer({ source: lane.source, tokens: { view: TOKEN, control: `${TOKEN}-control` } });
await server.listenUnix(socketPath);
const idleRss = process.memoryUsage.rss();
await waitUntil(() => server.counters.open === subscribers, "the subscribers");

const before = lane.chat.counters;
let pendingBytes = 0;
const costs = await playAtPace(pace, () => {
  // Before the batch, when all that went before has had its time to leave: what waits now waits for who does not read.
  if (hasStalled) pendingBytes = Math.max(pendingBytes, server.counters.pendingBytes);
  lane.play();
});
const after = lane.chat.counters;
const value = lane.chat.snapshot();
lane.chat.close();
await server.idle(500);
await server.close({ graceMs: 0 });

/** @type {HostAnswer} */
const answer = {
  ...costs,
  idleRss,
  encodesPerBatch: (after.encodes - before.encodes) / (pace.warmUpBatches + pace.batches),
  bytesEach: (after.bytesEach - before.bytesEach) / (pace.warmUpBatches + pace.batches),
  baseBytes: Buffer.byteLength(`id: 0\ndata: ${JSON.stringify({ seq: 0, ops: [["r", value]] })}\n\n`),
  pendingBytes,
  value,
};
answerParent(answer);
