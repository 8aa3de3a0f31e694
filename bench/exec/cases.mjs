import { fileURLToPath } from "node:url";

/**
 * @typedef {object} ExecCase
 * @property {string} name
 * @property {string} title
 * @property {"flood" | "build" | "calls" | "start"} kind What is measured: how fast output is taken, what an output that
 *   comes bit by bit costs, many commands, or one that does nothing.
 * @property {Content} [content] Of the file that `command` is given.
 * @property {(input: CommandInput) => string} command
 *
 * @typedef {"varied" | "line"} Content
 *
 * @typedef {object} CommandInput
 * @property {string} file
 * @property {Extent} extent
 *
 * @typedef {object} Extent
 * @property {number} runs
 * @property {number} floodBytes
 * @property {number} numbers
 * @property {number} buildBytes
 * @property {number} buildMs
 * @property {number} calls
 */

/** @type {Extent} */
export const FULL = {
  runs: 3,
  floodBytes: 1_000_000_000,
  numbers: 20_000_000,
  buildBytes: 262_144,
  buildMs: 3_000,
  calls: 200,
};
/** @type {Extent} */
export const QUICK = {
  runs: 1,
  floodBytes: 4_000_000,
  numbers: 100_000,
  buildBytes: 16_384,
  buildMs: 300,
  calls: 5,
};

/** @type {readonly ExecCase[]} */
export const cases = [
  flood("cat", "a file of varied lines", ({ file }) => `cat '${file}'`, "varied"),
  flood("one-line", "a file that is one line", ({ file }) => `cat '${file}'`, "line"),
  flood("yes", "empty lines, as fast as yes makes them", ({ extent }) => `yes '' | head -c ${extent.floodBytes}`),
  flood("seq", "numbers, as fast as seq makes them", ({ extent }) => `seq 1 ${extent.numbers}`),
  build("build-varied", "lines that differ"),
  build("build-repetitive", "lines that say nearly the same"),
  {
    name: "small",
    title: "small commands, one after the other",
    kind: "calls",
    command: () => "echo one; echo two >&2",
  },
  {
    name: "true",
    title: "a command that does nothing, subjects by turns in one process",
    kind: "start",
    command: () => "true",
  },
];

/**
 * @param {string} name
 * @param {string} title
 * @param {ExecCase["command"]} command
 * @param {Content} [content]
 * @returns {ExecCase}
 */
function flood(name, title, command, content) {
  return { name, title, kind: "flood", command, ...(content !== undefined && { content }) };
}

const printer = fileURLToPath(new URL("./build-printer.mjs", import.meta.url));

/**
 * @param {"build-varied" | "build-repetitive"} name
 * @param {string} title
 * @returns {ExecCase}
 */
function build(name, title) {
  return {
    name,
    title: `a build that prints for some seconds: ${title}`,
    kind: "build",
    command: ({ extent }) => `exec '${process.execPath}' '${printer}' ${name} ${extent.buildBytes} ${extent.buildMs}`,
  };
}
