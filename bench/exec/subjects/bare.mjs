import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

/** @typedef {import("./index.mjs").Subject} Subject */

const NEWLINE = 0x0a;

/**
 * Counts bytes and lines of a child's output, and nothing else: nobody who counts them can be faster.
 *
 * @returns {Subject}
 */
export function openBareReader() {
  return {
    async run(command) {
      const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "ignore"] });
      const counted = countOutput(child.stdout);
      await closed(child);
      return counted;
    },
    pids: () => [],
    close: async () => undefined,
  };
}

/**
 * Counts, and pipes to a file too.
 *
 * @param {string} folder
 * @returns {Subject}
 */
export function openBarePipe(folder) {
  const path = join(folder, "piped");
  return {
    async run(command) {
      const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "ignore"] });
      const counted = countOutput(child.stdout);
      await Promise.all([pipeline(child.stdout, createWriteStream(path)), closed(child)]);
      await rm(path);
      return counted;
    },
    pids: () => [],
    close: async () => undefined,
  };
}

/** @param {import("node:stream").Readable} stream */
export function countOutput(stream) {
  const counted = { bytes: 0, lines: 0 };
  let last = NEWLINE;
  stream.on("data", (/** @type {Buffer} */ piece) => {
    counted.bytes += piece.length;
    for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) counted.lines += 1;
    last = piece.at(-1) ?? last;
  });
  stream.once("end", () => (counted.lines += last === NEWLINE ? 0 : 1));
  return counted;
}

/** @param {import("node:child_process").ChildProcess} child */
function closed(child) {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}
