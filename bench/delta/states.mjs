import { variedText } from "../lib/text.mjs";

/**
 * The state of a tool's output, with a text that is there already.
 *
 * @param {string} text
 */
export function toolOutput(text) {
  return {
    content: [{ type: "text", text }],
    details: {},
    terminate: false,
    truncation: {
      truncated: true,
      truncatedBy: "bytes",
      totalLines: 8_123,
      totalBytes: 262_144,
      maxLines: 2_000,
      maxBytes: 51_200,
    },
  };
}

/**
 * Details as a tool has them that reports on many files: objects in arrays in arrays.
 *
 * @param {import("../lib/random.mjs").Random} random
 */
export function nestedDetails(random) {
  const files = Array.from({ length: 40 }, (_, file) => ({
    path: `src/part-${file}.ts`,
    state: "open",
    hunks: Array.from({ length: 5 }, (_, hunk) => diagnosticHunk(random, hunk)),
  }));
  return { ...toolOutput(variedText(random, 2_000)), details: { files } };
}

/**
 * @param {import("../lib/random.mjs").Random} random
 * @param {number} line
 */
export function diagnosticHunk(random, line) {
  return { line, text: variedText(random, 60), marks: [{ from: line, to: line + 8, kind: "warning" }] };
}

/**
 * A lane with a long history and tools that run, each with a window of 50 KB.
 *
 * @param {import("../lib/random.mjs").Random} random
 * @param {number} tools
 * @param {(random: import("../lib/random.mjs").Random, bytes: number) => string} makeText
 */
export function laneView(random, tools, makeText = variedText) {
  const transcript = Array.from({ length: 200 }, (_, number) => ({
    type: number % 2 === 0 ? "user" : "assistant",
    id: `e_${number}`,
    operationId: `op_${number >> 2}`,
    at: 1_700_000_000_000 + number,
    text: variedText(random, 400),
  }));
  const running = Array.from({ length: tools }, (_, number) => ({
    id: `call_${number}`,
    name: "bash",
    args: { command: "make -j8" },
    output: toolOutput(makeText(random, 51_200)),
  }));
  return { transcript, operation: { id: "op_50", tools: running } };
}
