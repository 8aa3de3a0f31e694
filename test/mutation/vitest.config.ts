import { defineConfig } from "vitest/config";

// The tests of delta alone, in one process: every mutant runs them again.
export default defineConfig({
  test: {
    include: ["src/delta/**/*.test.ts"],
    testTimeout: 120_000,
    // What measures time has none to spare where the sources count what of them runs.
    testNamePattern: "^(?!.*costs (linear time|what changed))",
    env: { SPILLWAY_TEST_MUTATED: "true" },
  },
});
