import { periodicText, repetitiveText, variedText } from "../lib/text.mjs";
import { diagnosticHunk, laneView, nestedDetails, toolOutput } from "./states.mjs";

/**
 * @typedef {import("../lib/random.mjs").Random} Random
 * @typedef {import("./edits.mjs").Edit} Edit
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {(random: Random, chunk: number) => any} initial
 * @property {(random: Random, number: number) => Edit} edit What is done before the flush of this number.
 * @property {number} flushes Flushes in a chunk, which is timed as one.
 * @property {boolean} [fresh] Whether each chunk begins with `initial` again, so that the state keeps its size.
 * @property {number} [approach] Flushes before each chunk that are not timed; default 5.
 * @property {number} [settling] Flushes before the first chunk is timed; default 3.
 * @property {import("./edits.mjs").Path} [fold] Where in the state an output stands whose changes come from a second state,
 *   and edits act; see `OpenOptions`.
 * @property {"stated"} [only] Where nothing but spillway's stated edits is measured, to see how its cost depends on size.
 * @property {number} [factor] How many times the best rival's produce speed stated edits are to reach; default 2.
 */

const TEXT = ["content", 0, "text"];
const WINDOW = 51_200;
/** Flushes after which all of a window came by slides. */
const FILLED = 300;
const FOLDED = ["operation", "tools", 0, "output"];

/** @type {readonly Case[]} */
export const cases = [
  slideCase("slide-200", "50 KB window moves by a line of 200 bytes", 200, variedText),
  {
    ...slideCase("slide-200-totals", "the same, and the totals move", 200, variedText),
    edit: (random, number) => [slide(TEXT, variedText(random, 200)), ...moveTotals(["truncation"], number)],
  },
  slideCase("slide-12800", "50 KB window moves by 12.8 KB", 12_800, variedText),
  {
    ...slideCase("slide-12800-repetitive", "the same with a repetitive build log", 12_800, repetitiveText),
    factor: 20,
  },
  appendCase("append-20k", "40 characters join 20 KB", 20_000, 50),
  { ...appendCase("append-200k", "40 characters join 200 KB", 200_000, 20), factor: 20 },
  appendCase("append-2m", "40 characters join 2 MB", 2_000_000, 10),
  {
    name: "push-each",
    title: "push of an item, up to 10,000, a flush each",
    initial: (random, chunk) => ({ items: makeItems(random, (chunk * 1_250) % 10_000) }),
    edit: (random, number) => [{ verb: "push", path: ["items"], item: makeItem(random, number) }],
    flushes: 50,
    fresh: true,
  },
  {
    name: "push-once",
    title: "10,000 pushes in one flush",
    initial: () => ({ items: [] }),
    edit: (random) =>
      makeItems(random, 10_000).map((item) => /** @type {const} */ ({ verb: "push", path: ["items"], item })),
    flushes: 1,
    fresh: true,
    approach: 0,
    settling: 0,
  },
  {
    name: "alternate",
    title: "1,000 writes to two fields by turns in one flush",
    initial: (random) => toolOutput(variedText(random, 1_000)),
    edit: (_, number) =>
      Array.from({ length: 500 }, (_, write) => moveTotals(["truncation"], number * 500 + write)).flat(),
    flushes: 5,
  },
  {
    name: "nested",
    title: "details with nested arrays",
    initial: nestedDetails,
    edit: editDetails,
    flushes: 20,
  },
  {
    name: "lane",
    title: "lane with 200 entries, 4 tools that run",
    initial: (random) => laneView(random, 4),
    edit: (random, number) => {
      const output = ["operation", "tools", number % 4, "output"];
      return [slide([...output, ...TEXT], variedText(random, 200)), ...moveTotals([...output, "truncation"], number)];
    },
    flushes: 20,
    settling: FILLED,
  },
  slideCase("periodic", "hostile periodic text, 50 KB, moves by 200", 200, periodicText),
  {
    ...slideCase("fold", "a tool's ops folded into a lane under a second tracker", 200, variedText),
    initial: (random) => laneView(random, 1),
    edit: (random, number) => [slide(TEXT, variedText(random, 200)), ...moveTotals(["truncation"], number)],
    fold: FOLDED,
  },
  {
    ...slideCase("fold-repetitive", "the same with a repetitive build log", 2_000, repetitiveText),
    initial: (random) => laneView(random, 1, repetitiveText),
    fold: FOLDED,
  },
  ...[1_000, 100_000, 10_000_000].flatMap((bytes) => [
    flat(appendCase(`append-flat-${shortSize(bytes)}`, `40 characters join ${shortSize(bytes)}`, bytes, 20)),
    flat({
      ...slideCase(
        `slide-flat-${shortSize(bytes)}`,
        `window of ${shortSize(bytes)} moves by 40`,
        40,
        variedText,
        bytes,
      ),
    }),
  ]),
];

/**
 * @param {string} name
 * @param {string} title
 * @param {number} step
 * @param {(random: Random, bytes: number) => string} makeText
 * @returns {Case}
 */
function slideCase(name, title, step, makeText, window = WINDOW) {
  return {
    name,
    title,
    initial: (random) => toolOutput(makeText(random, window)),
    edit: (random) => [slide(TEXT, makeText(random, step))],
    flushes: step > 10_000 ? 10 : 50,
    settling: FILLED,
  };
}

/**
 * @param {string} name
 * @param {string} title
 * @param {number} bytes
 * @param {number} flushes
 * @returns {Case}
 */
function appendCase(name, title, bytes, flushes) {
  return {
    name,
    title,
    initial: (random) => toolOutput(variedText(random, bytes)),
    edit: (random) => [{ verb: "append", path: TEXT, text: variedText(random, 40) }],
    flushes,
    fresh: true,
  };
}

/**
 * @param {Case} one
 * @returns {Case}
 */
function flat(one) {
  // Many in a row, because the first ones after so large a text was touched wait for memory.
  return { ...one, flushes: 50, approach: 50, settling: 20, only: "stated" };
}

/**
 * @param {(string | number)[]} path
 * @param {string} text
 * @returns {import("./edits.mjs").Action}
 */
function slide(path, text) {
  return { verb: "slide", path, drop: text.length, text };
}

/**
 * @param {(string | number)[]} path
 * @param {number} number
 * @returns {import("./edits.mjs").Action[]}
 */
function moveTotals(path, number) {
  return [
    { verb: "set", path: [...path, "totalLines"], value: 8_124 + number },
    { verb: "set", path: [...path, "totalBytes"], value: 262_344 + number * 200 },
  ];
}

/**
 * @param {Random} random
 * @param {number} count
 */
function makeItems(random, count) {
  return Array.from({ length: count }, (_, number) => makeItem(random, number));
}

/**
 * @param {Random} random
 * @param {number} number
 */
function makeItem(random, number) {
  return { id: number, text: variedText(random, 24) };
}

/**
 * @param {Random} random
 * @param {number} number
 * @returns {Edit}
 */
function editDetails(random, number) {
  const file = ["details", "files", number % 40];
  return [
    { verb: "set", path: [...file, "state"], value: `seen ${number}` },
    { verb: "push", path: [...file, "hunks"], item: diagnosticHunk(random, number) },
    { verb: "splice", path: [...file, "hunks"], index: 1, remove: 1, items: [] },
    { verb: "set", path: [...file, "hunks", 2, "marks", 0, "to"], value: number },
    { verb: "push", path: [...file, "hunks", 0, "marks"], item: { from: number, to: number + 1, kind: "note" } },
    { verb: "splice", path: [...file, "hunks", 0, "marks"], index: 0, remove: 1, items: [] },
  ];
}

/** @param {number} bytes */
function shortSize(bytes) {
  return bytes < 1e6 ? `${bytes / 1e3}k` : `${bytes / 1e6}m`;
}
