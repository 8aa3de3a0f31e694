import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "vitest";
import { defineStorageSuite } from "../../testing/storage/index.js";
import { createJsonlStorage } from "./jsonl-storage.js";

describe("[S10] JSONL passes the contract suite", () => {
  defineStorageSuite({
    test,
    assert,
    rounds: process.env["CI"] === "true" ? 100 : 10,
    async open() {
      const folder = mkdtempSync(join(tmpdir(), "spillway-storage-"));
      const start = (): ReturnType<typeof createJsonlStorage> =>
        createJsonlStorage({ folder: join(folder, "sessions"), outputCapBytes: 300 });
      return {
        storage: start(),
        restart: async () => start(),
        dispose: async () => rmSync(folder, { recursive: true }),
      };
    },
  });
});
