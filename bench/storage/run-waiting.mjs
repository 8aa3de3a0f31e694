// Many wait for their records at once, in one session or in as many.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { answerParent, childInput } from "../lib/children.mjs";
import { quantile } from "../lib/statistics.mjs";
import { withFolder } from "./folders.mjs";
import { openBare } from "./subjects/bare.mjs";
import { loadSubjects } from "./subjects/load.mjs";
import { BARE } from "./subjects/subject.mjs";

/**
 * @typedef {object} WaitingInput
 * @property {string} library
 * @property {string} subject
 * @property {number} waiting
 * @property {number} sessions
 * @property {number} warmUpMs
 * @property {number} measureMs
 */

/** @type {WaitingInput} */
const { library, subject: name, waiting, sessions, warmUpMs, measureMs } = childInput();
const TEXT = "x".repeat(256);
const RECORD_BYTES = 400;

await withFolder(async (folder) => {
  const [subject] = name === BARE ? [] : await loadSubjects(library, [name]);
  /** @type {(() => Promise<unknown>)[]} */
  const adds = [];
  /** @type {(() => Promise<unknown>)[]} */
  const closes = [];
  for (let place = 0; place < sessions; place += 1) {
    const own = join(folder, String(place));
    mkdirSync(own);
    if (subject === undefined) {
      adds.push(await openBare(own, RECORD_BYTES));
      continue;
    }
    const session = await subject.create(own);
    adds.push(() => session.add(TEXT));
    closes.push(() => session.close());
  }
  await runFor(warmUpMs, adds);
  const { times, elapsedMs } = await runFor(measureMs, adds);
  for (const close of closes) await close();
  answerParent({
    acks: (times.length * 1_000) / elapsedMs,
    p50: quantile(times, 0.5) * 1_000,
    p99: quantile(times, 0.99) * 1_000,
  });
});

/**
 * @param {number} ms
 * @param {readonly (() => Promise<unknown>)[]} adds
 */
async function runFor(ms, adds) {
  /** @type {number[]} */
  const times = [];
  const start = performance.now();
  const end = start + ms;
  const wait = async (/** @type {() => Promise<unknown>} */ add) => {
    for (let now = performance.now(); now < end;) {
      await add();
      const after = performance.now();
      times.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: waiting }, (_, place) => wait(adds[place % adds.length] ?? noAdd)));
  return { times, elapsedMs: performance.now() - start };
}

async function noAdd() {
  throw new Error("there is no session");
}
