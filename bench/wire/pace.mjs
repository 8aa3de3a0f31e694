import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {object} Pace
 * @property {number} batchesPerSecond
 * @property {number} warmUpBatches Played before anything is measured.
 * @property {number} batches Played while it is.
 *
 * @typedef {object} PlayedCosts
 * @property {number} cpuMicros CPU time of this process for each batch.
 * @property {number} idleRss Bytes of this process before anyone had connected.
 * @property {number} rss Bytes at the end.
 */

/**
 * Plays batches at a steady pace, whether earlier ones took long or not, and gives what that cost this process.
 *
 * @param {Pace} pace
 * @param {() => void} play
 */
export async function playAtPace({ batchesPerSecond, warmUpBatches, batches }, play) {
  const start = performance.now();
  let cpu = process.cpuUsage();
  for (let number = 0; number < warmUpBatches + batches; number += 1) {
    const due = start + (number * 1_000) / batchesPerSecond;
    await sleep(Math.max(0, due - performance.now()));
    if (number === warmUpBatches) cpu = process.cpuUsage();
    play();
  }
  // What was written last is still on its way through the loop.
  await sleep(1_000 / batchesPerSecond);
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMicros: (user + system) / batches, rss: process.memoryUsage.rss() };
}

/**
 * @param {() => boolean} isMet
 * @param {string} what
 */
export async function waitUntil(isMet, what, timeoutMs = 60_000) {
  const deadline = performance.now() + timeoutMs;
  while (!isMet()) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await sleep(10);
  }
}
