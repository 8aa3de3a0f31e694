import { findDifference } from "../lib/difference.mjs";
import { createRandom } from "../lib/random.mjs";
import { median } from "../lib/statistics.mjs";
import { mutatePlainly } from "./edits.mjs";
import { medianFigures } from "./figures.mjs";
import { at } from "./subjects/subject.mjs";

/**
 * @typedef {import("./cases.mjs").Case} Case
 * @typedef {import("./figures.mjs").Figures} Figures
 * @typedef {import("./subjects/subject.mjs").Subject} Subject
 */

/** Flushes before each chunk, not timed: what ran before has taken the caches. */
const APPROACH = 5;

/** One subject in one case: makes edits by chunks, times them, and sees that both ends have what they must. */
export class SubjectRun {
  /** @type {Figures[]} */
  #chunks = [];
  /** @type {import("./subjects/subject.mjs").Replication | undefined} */
  #replication;
  /** @type {any} What plain mutation of plain data gives. */
  #expected;
  #flushes = 0;
  spentMs = 0;

  /**
   * @param {Subject} subject
   * @param {Case} one
   * @param {{ seed: number, maxSettling: number, minChunks: number }} options
   */
  constructor(subject, one, { seed, maxSettling, minChunks }) {
    this.subject = subject;
    this.case = one;
    this.random = createRandom(seed);
    this.minChunks = minChunks;
    this.settling = Math.min(one.settling ?? 3, maxSettling);
  }

  /**
   * Sizes are those of the chunks that every subject makes, so that all are of the same edits.
   *
   * @returns {Figures}
   */
  get figures() {
    const { bytes, overhead } = medianFigures(this.#chunks.slice(0, this.minChunks));
    return { ...medianFigures(this.#chunks), bytes, overhead };
  }

  measureChunk() {
    if (this.case.fresh === true) this.finish();
    const replication = (this.#replication ??= this.#open());
    const approach = this.case.approach ?? APPROACH;
    const edits = this.#makeEdits(approach + this.case.flushes);
    const prepared = edits.map((edit) => replication.prepare(edit));
    /** @type {(string | Uint8Array)[]} */
    const messages = Array.from({ length: prepared.length }, () => "");
    globalThis.gc?.({ type: "minor", execution: "sync" });

    for (let index = 0; index < approach; index += 1) messages[index] = replication.produce(prepared[index]);
    const start = performance.now();
    for (let index = approach; index < prepared.length; index += 1) {
      messages[index] = replication.produce(prepared[index]);
    }
    const produceMs = performance.now() - start;

    for (let index = 0; index < approach; index += 1) replication.consume(messages[index]);
    const restart = performance.now();
    for (let index = approach; index < prepared.length; index += 1) replication.consume(messages[index]);
    const consumeMs = performance.now() - restart;

    const timed = messages.slice(approach);
    this.spentMs += produceMs + consumeMs;
    this.#chunks.push({
      produce: (produceMs * 1_000) / timed.length,
      consume: (consumeMs * 1_000) / timed.length,
      bytes: median(timed.map((message) => Buffer.byteLength(message))),
      overhead: overheadOf(timed, edits.slice(approach)),
    });
  }

  /** Both ends must have what plain mutation gives. */
  finish() {
    if (this.#replication === undefined) return;
    const value = findDifference(this.#replication.value(), this.#expected, `${this.subject.name}'s value`);
    const copy = findDifference(this.#replication.copy(), this.#expected, `${this.subject.name}'s copy`);
    const difference = value ?? copy;
    if (difference !== undefined) throw new Error(`${this.case.name}: not the same at the end: ${difference}`);
    this.#replication = undefined;
  }

  #open() {
    const { fold } = this.case;
    const initial = this.case.initial(this.random, this.#chunks.length);
    this.#expected = structuredClone(initial);
    const replication = this.subject.open(initial, fold === undefined ? {} : { fold });
    for (const edit of this.#makeEdits(this.settling))
      replication.consume(replication.produce(replication.prepare(edit)));
    return replication;
  }

  /** @param {number} count */
  #makeEdits(count) {
    const edits = Array.from({ length: count }, () => this.case.edit(this.random, this.#flushes++));
    const changed = at(this.#expected, this.case.fold ?? []);
    // A copy, because some subjects keep what they are given, and would see it change.
    for (const edit of edits) mutatePlainly(changed, structuredClone(edit));
    return edits;
  }
}

/**
 * @param {readonly (string | Uint8Array)[]} messages
 * @param {readonly import("./edits.mjs").Edit[]} edits
 */
function overheadOf(messages, edits) {
  const texts = edits.map((edit) => edit.flatMap((action) => ("text" in action ? [action.text] : [])));
  if (texts.some((text) => text.length === 0)) return null;
  return median(
    messages.map(
      (message, index) =>
        Buffer.byteLength(message) -
        (texts[index] ?? []).reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0),
    ),
  );
}
