// One process of the delta bench: every subject makes the same edits, by turns, and ends with the same value.
import { answerParent, childInput } from "../lib/children.mjs";
import { cases } from "./cases.mjs";
import { SubjectRun } from "./subject-run.mjs";
import { chord } from "./subjects/chord.mjs";
import { floor } from "./subjects/floor.mjs";
import { immer } from "./subjects/immer.mjs";
import { jsonPatch } from "./subjects/json-patch.mjs";
import { mutative } from "./subjects/mutative.mjs";
import { snapshot } from "./subjects/snapshot.mjs";
import { spillwayPlain, spillwayStated } from "./subjects/spillway.mjs";
import { yjs } from "./subjects/yjs.mjs";

/**
 * @typedef {import("./cases.mjs").Case} Case
 * @typedef {import("./subjects/subject.mjs").Subject} Subject
 *
 * @typedef {object} ProcessInput
 * @property {string[]} cases
 * @property {number} seed
 * @property {number} warmUpMs What each subject is given to run before anything is timed.
 * @property {number} measureMs What each subject may take in chunks that are timed; at least `minChunks` of them are.
 * @property {number} maxSettling Flushes before the first chunk, whatever the case asks for.
 * @property {number} minChunks
 * @property {number} maxChunks
 */

const ALL = [spillwayStated, spillwayPlain, chord, immer, mutative, jsonPatch, yjs, snapshot, floor];

/** @type {ProcessInput} */
const input = childInput();
const answers = [];
for (const name of input.cases) answers.push({ name, subjects: await measureCase(findCase(name), input) });
answerParent(answers);

/**
 * @param {Case} one
 * @param {ProcessInput} input
 */
async function measureCase(one, input) {
  const subjects = one.only === "stated" ? [spillwayStated, floor] : ALL;
  if (input.warmUpMs > 0) for (const subject of subjects) warmUp(subject, one, input);
  const runs = subjects.map((subject) => new SubjectRun(subject, one, input));
  for (let chunk = 0; chunk < input.maxChunks; chunk += 1) {
    for (let turn = 0; turn < runs.length; turn += 1) {
      const run = runs[(turn + chunk + input.seed) % runs.length];
      if (run === undefined || (chunk >= input.minChunks && run.spentMs >= input.measureMs)) continue;
      // Programs flush once in a turn of the event loop, and some of what an engine keeps, it keeps until a turn ends.
      await new Promise(setImmediate);
      run.measureChunk();
    }
  }
  for (const run of runs) run.finish();
  return Object.fromEntries(runs.map((run) => [run.subject.name, run.figures]));
}

/**
 * A run of its own on edits of its own, so that what is timed later is compiled.
 *
 * @param {Subject} subject
 * @param {Case} one
 * @param {ProcessInput} input
 */
function warmUp(subject, one, input) {
  const deadline = performance.now() + input.warmUpMs;
  const run = new SubjectRun(subject, one, { ...input, seed: input.seed + 1_000 });
  do run.measureChunk();
  while (performance.now() < deadline);
}

/** @param {string} name */
function findCase(name) {
  const one = cases.find((one) => one.name === name);
  if (one === undefined) throw new Error(`there is no case ${name}`);
  return one;
}
