import { defineConfig } from "vitest/config";

// Two cores and real processes: files run in two forks, each with a hang limit far above any design figure.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] === "true" ? ["dot"] : ["default"],
    typecheck: { enabled: false },
  },
});
