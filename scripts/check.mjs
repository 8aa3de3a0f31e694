// Everything that is checked without running the program: lint and types in one pass, types without Node for what runs
// in browsers, format. Prints only what failed, so that a green run stays quiet.
import { spawn } from "node:child_process";

const lint = ["node_modules/oxlint/bin/oxlint", "--type-aware", "--tsconfig", "tsconfig.json", "--deny-warnings"];

const checks = [
  ["lint and types", [...lint, "--type-check", "src", "test", "web", "vitest.config.ts"]],
  // What a bench imports is there only once it was run.
  ["lint of scripts", [...lint, "bench", "examples", "scripts"]],
  ["types of browser layers", ["node_modules/typescript/bin/tsc", "-p", "tsconfig.browser.json"]],
  ["types of the page", ["node_modules/typescript/bin/tsc", "-p", "web/tsconfig.json"]],
  ["format", ["node_modules/oxfmt/bin/oxfmt", "--check", "--no-error-on-unmatched-pattern", "."]],
];

const results = await Promise.all(checks.map(([name, args]) => run(name, args)));
const failures = results.filter((result) => result.code !== 0);
for (const failure of failures) process.stderr.write(`\n${failure.name} failed:\n${failure.output}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function run(name, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (data) => (output += data));
    child.stderr.on("data", (data) => (output += data));
    child.on("close", (code) => resolve({ name, code, output }));
  });
}
