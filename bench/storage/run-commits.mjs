// One record at a time: all subjects in one process, by turns, and each is warm before anything is timed.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { answerParent, childInput } from "../lib/children.mjs";
import { median } from "../lib/statistics.mjs";
import { withFolder } from "./folders.mjs";
import { openBare } from "./subjects/bare.mjs";
import { loadSubjects } from "./subjects/load.mjs";
import { BARE } from "./subjects/subject.mjs";

/**
 * @typedef {object} CommitsInput
 * @property {string} library
 * @property {readonly string[]} subjects
 * @property {number} warmUp Records.
 * @property {number} chunks
 * @property {number} chunkLength Records.
 */

/** @type {CommitsInput} */
const { library, subjects: names, warmUp, chunks, chunkLength } = childInput();
const TEXT = "x".repeat(256);
/** Of spillway for that text. */
const RECORD_BYTES = 400;

await withFolder(async (folder) => {
  /** @type {{ name: string, run: () => Promise<unknown>, close: () => Promise<unknown>, times: number[] }[]} */
  const runs = [];
  for (const subject of await loadSubjects(library, names)) {
    const own = join(folder, String(runs.length));
    mkdirSync(own);
    const session = await subject.create(own);
    runs.push({ name: subject.name, run: () => session.add(TEXT), close: () => session.close(), times: [] });
  }
  runs.push({ name: BARE, run: await openBare(folder, RECORD_BYTES), close: async () => {}, times: [] });
  // At once, so that it takes no time: a sync is the same work for a thousand.
  for (const { name, run } of runs) {
    if (name === BARE) for (let count = 0; count < warmUp / 50; count += 1) await run();
    else for (let count = 0; count < warmUp; count += 1_000) await Promise.all(Array.from({ length: 1_000 }, run));
  }
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    for (let turn = 0; turn < runs.length; turn += 1) {
      const one = runs[(turn + chunk) % runs.length];
      if (one !== undefined) await measureChunk(one);
    }
  }
  for (const { close } of runs) await close();
  answerParent(Object.fromEntries(runs.map(({ name, times }) => [name, median(times)])));
});

/** @param {{ run: () => Promise<unknown>, times: number[] }} one */
async function measureChunk({ run, times }) {
  for (let count = 0; count < chunkLength; count += 1) {
    const start = performance.now();
    await run();
    times.push((performance.now() - start) * 1_000);
  }
}
