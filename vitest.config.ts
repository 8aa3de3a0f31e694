import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const isCi = process.env["CI"] === "true";
/** Much of the time tests wait for a process, a page or a clock; those of CI, which are larger, do less so. */
const workers = Math.min(availableParallelism() + (isCi ? 0 : 2), 8);

/** Whose tests leave nothing behind in the process that they run in, so that one does for many of them. */
const layers = ["cli", "delta", "facet", "harness", "lane", "mcp", "models", "protocol", "storage", "tools", "wire"];
const execParts = [
  "host",
  "output",
  "local/environment",
  "local/files",
  "local/pipes",
  "local/processes",
  "local/spills",
];
const suites = ["exec-suite", "examples", "models", "tools"].map((name) => `test/${name}-*.test.ts`);
const texts = [
  "dependencies",
  "documents",
  "hygiene",
  "layers",
  "node-versions",
  "protocol-version",
  "rules",
  "surface",
];
const unitTests = [
  ...[...layers, ...execParts.map((part) => `exec/${part}`)].map((folder) => `src/${folder}/**/*.test.ts`),
  ...texts.map((name) => `test/${name}.test.ts`),
  ...suites,
];

/** Whose subject runs in processes of its own: a command, or a page in a browser. */
const programTests = ["test/cli/*.test.ts", "test/web/*.test.ts"];

// Each test has a hang limit far above any design figure.
export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: workers,
    globalSetup: ["test/support/temporary-folder.ts"],
    // A host for each state folder would take more of a small machine than the tests themselves; those of hosts ask for them.
    env: { SPILLWAY_IN_PROCESS: "1" },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: isCi ? ["dot"] : ["default"],
    typecheck: { enabled: false },
    projects: [
      { extends: true, test: { name: "units", include: unitTests, isolate: false } },
      { extends: true, test: { name: "programs", include: programTests, isolate: false } },
      {
        extends: true,
        // Memory, descriptors and children of the process are what they look at, each file in one of its own.
        test: {
          name: "processes",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...unitTests, ...programTests],
        },
      },
    ],
  },
});
