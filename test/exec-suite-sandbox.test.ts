import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { createLocalEnv } from "../src/exec/index.js";
import { defineExecSuite } from "../src/testing/index.js";
import { suiteTest } from "./support/machine-needs.js";

describe("[X13] the local env under bubblewrap passes the contract suite", () => {
  defineExecSuite({
    test: suiteTest(test, ["bwrap"], { oneIn: 6 }),
    assert,
    tellsSignals: false,
    async open() {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "spillway-exec-")));
      const spillFolder = mkdtempSync(join(tmpdir(), "spillway-spill-"));
      return {
        env: createLocalEnv({ cwd: folder, environment: process.env, spillFolder, sandbox: {} }),
        async dispose() {
          for (const path of [folder, spillFolder]) rmSync(path, { recursive: true, force: true });
        },
      };
    },
  });
});
