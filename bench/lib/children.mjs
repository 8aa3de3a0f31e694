import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs a program of the bench in a process of its own. It is handed `input` as JSON in its last argument, and what it
 * prints last is its answer, as JSON.
 *
 * @param {URL} program
 * @param {object} input
 * @param {{ nodeOptions?: readonly string[], environment?: Record<string, string> }} options
 * @returns {Promise<any>}
 */
export async function runChild(program, input, { nodeOptions = [], environment = {} } = {}) {
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(program), JSON.stringify(input)], {
    env: { ...process.env, NODE_ENV: "production", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`${fileURLToPath(program)} ended with ${code}`);
  return JSON.parse(output.trimEnd().split("\n").at(-1) ?? "");
}

/** What a program that {@link runChild} started was handed. */
export function childInput() {
  return JSON.parse(process.argv[2] ?? "{}");
}

/** @param {object} answer */
export function answerParent(answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
