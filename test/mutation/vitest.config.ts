import { defineConfig } from "vitest/config";

// The tests of delta alone, in one process: every mutant runs them again.
export default defineConfig({
  test: {
    include: ["src/delta/**/*.test.ts"],
    testTimeout: 120_000,
    env: { SPILLWAY_TEST_MUTATED: "true" },
  },
});
