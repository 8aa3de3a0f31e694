import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Many tests wait for real processes, so that there is work for one more than there are cores; more take memory. */
const workers = Math.min(availableParallelism() + 1, 8);

// Each test has a hang limit far above any design figure.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: workers,
    globalSetup: ["test/support/temporary-folder.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] === "true" ? ["dot"] : ["default"],
    typecheck: { enabled: false },
  },
});
