import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { defineStorageSuite } from "../testing/storage/index.js";
import { createMemoryStorage, sessionScope, valueAddress } from "./index.js";

describe("[S10] memory passes the contract suite", () => {
  defineStorageSuite({
    test,
    assert,
    rounds: process.env["CI"] === "true" ? 200 : 10,
    async open() {
      const storage = createMemoryStorage();
      return { storage, restart: async () => storage, dispose: async () => undefined };
    },
  });
});

test("[S4] memory keeps no more of a value than what is alive, and what a fork needs", async () => {
  const session = await createMemoryStorage().create("s1");
  const note = valueAddress<string>(sessionScope, "note");

  for (const text of ["a", "bb", "ccc"]) {
    await session.commit(sessionScope, (transaction) => transaction.set(note, text));
  }

  expect((await session.usage()).mainBytes).toBe("note".length + '"ccc"'.length);
});
