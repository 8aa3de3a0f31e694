import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isBase } from "../delta/index.js";
import { StorageError } from "../storage/index.js";
import type { SessionStorage } from "../storage/index.js";
import { openJournalStage } from "./fixtures/journal-stage.js";
import { wrapStorage } from "./fixtures/wrapped-storage.js";

test("[T6] batches of one interval are stored as one element, and none before", async () => {
  const stage = await openJournalStage();

  stage.write("a");
  stage.write("b");
  stage.write("c");
  stage.clock.advance(999);
  const before = (await stage.stored()).length;
  stage.clock.advance(1);
  await expect.poll(() => stage.counters.durableElements).toBe(1);

  expect(before).toBe(0);
  expect(await stage.stored()).toMatchObject([
    {
      tag: "base",
      value: [
        ["r", { text: "a" }],
        ["a", ["text"], "b"],
        ["a", "c"],
      ],
    },
  ]);
  expect(stage.counters).toMatchObject({ liveBatches: 3, durableElements: 1, recoveryBases: 0 });
});

test("[T6] what weighs enough is stored without waiting", async () => {
  const stage = await openJournalStage({ durability: { maxBytes: 1_000 } });

  stage.write("x".repeat(1_000));
  await expect.poll(() => stage.counters.durableElements).toBe(1);

  expect(await stage.recovered()).toEqual({ text: "x".repeat(1_000) });
  expect(stage.clock.waiting).toBe(0);
});

test("[T6] unless told otherwise output is stored at 64 KiB of it, and not before", async () => {
  const light = await openJournalStage();
  const heavy = await openJournalStage();
  light.write("x".repeat(65_000));
  heavy.write("x".repeat(65_536));

  await expect.poll(() => heavy.counters.durableElements).toBe(1);
  expect(light.counters.durableElements).toBe(0);
  expect(light.clock.waiting).toBe(1);
});

test("[T6] nothing is stored while nothing changes", async () => {
  const stage = await openJournalStage();
  stage.write("a");
  stage.clock.advance(1_000);
  await expect.poll(() => stage.counters.durableElements).toBe(1);

  stage.clock.advance(60_000);
  await stage.journal.write("interval");

  expect(stage.clock.waiting).toBe(0);
  expect(await stage.stored()).toHaveLength(1);
});

test("[T6] a base in the middle drops what precedes it", async () => {
  const stage = await openJournalStage();

  stage.write("old");
  stage.tracker.state = { text: "new" };
  stage.write("er");
  await stage.journal.end();

  expect(await stage.stored()).toMatchObject([{ tag: "base", value: [["r", { text: "newer" }]] }]);
});

test("[T6] the stored stream has an encoder of its own, which a base resets", async () => {
  const stage = await openJournalStage({ durability: { baseElements: 4 } });

  for (let index = 0; index < 7; index += 1) {
    stage.write(String(index));
    await stage.journal.write("interval");
  }

  const verbs = (await stage.stored()).map(({ value }) => value.map((op) => op[0]).join(""));
  expect(verbs).toEqual(["r", "a"]);
  expect(await stage.recovered()).toEqual({ text: "0123456" });
});

test("[T6] the end is stored at once, and what comes later is refused", async () => {
  const stage = await openJournalStage();
  stage.write("a");

  await stage.journal.end();
  stage.write("late");
  stage.clock.advance(60_000);

  await expect(stage.journal.write("always")).rejects.toMatchObject({ code: "call_settled" });
  expect(await stage.recovered()).toEqual({ text: "a" });
});

test("[T9] after so many elements one states the whole value, tagged and superseding, and it is no live batch", async () => {
  const stage = await openJournalStage({ durability: { baseElements: 3 } });

  for (const text of ["a", "b", "c", "d", "e"]) {
    stage.write(text);
    await stage.journal.write("interval");
  }

  expect(await stage.stored()).toMatchObject([{ tag: "base", value: [["r", { text: "abcde" }]] }]);
  expect(stage.counters).toMatchObject({ liveBatches: 5, durableElements: 5, recoveryBases: 1 });
});

test("[T9] a base is due when what was stored since the last one outweighs four times the cap", async () => {
  const stage = await openJournalStage({ capBytes: 1_000 });
  stage.write("");
  await stage.journal.write("interval");

  for (let index = 0; index < 5; index += 1) {
    stage.write("x".repeat(1_000));
    await stage.journal.write("interval");
  }

  expect(stage.counters.recoveryBases).toBe(1);
  expect((await stage.stored()).map(({ value }) => isBase(value))).toEqual([true]);
});

test("[T9] a state that outweighs its cap is not stated anew with every few changes", async () => {
  const stage = await openJournalStage({ capBytes: 1_000 });
  stage.write("x".repeat(50_000));
  await stage.journal.write("interval");

  for (let index = 0; index < 10; index += 1) {
    stage.write("y".repeat(1_000));
    await stage.journal.write("interval");
  }

  expect(stage.counters.recoveryBases).toBe(0);
});

test("[T9] a long run of a full window stores what was new and now and then the window, never more", async () => {
  const cap = 2_000;
  const stage = await openJournalStage({ capBytes: cap });

  for (let index = 0; index < 2_000; index += 1) {
    stage.tracker.state.text = `${stage.tracker.state.text}line ${index} of a build\n`.slice(-cap);
    stage.journal.push(stage.tracker.flush());
    if (index % 5 === 4) await stage.journal.write("interval");
  }

  const { liveBytes, durableBytes, durableElements, recoveryBases } = stage.counters;
  expect(durableElements).toBe(400);
  expect(recoveryBases).toBeGreaterThan(5);
  expect(durableBytes).toBeLessThanOrEqual(liveBytes + (recoveryBases + 1) * cap * 1.1);
  expect(JSON.stringify(await stage.stored()).length).toBeLessThan(6 * cap);
  expect(await stage.recovered()).toEqual(stage.tracker.snapshot());
});

test("[H2] a failed commit is told once, and the next one states the whole value", async () => {
  let failing = false;
  const stage = await openJournalStage({ wrap: (storage) => failWhile(storage, () => failing) });
  stage.write("a");
  await stage.journal.write("interval");

  failing = true;
  stage.write("b");
  stage.clock.advance(1_000);
  await expect.poll(() => stage.failures).toHaveLength(1);
  failing = false;
  stage.write("c");
  await stage.journal.write("interval");

  expect(stage.failures).toMatchObject([{ code: "write_failed" }]);
  expect(await stage.stored()).toMatchObject([{ tag: "base", value: [["r", { text: "abc" }]] }]);
});

test("[H2] whatever is written, stored and lost, the stored stream gives a state that was shown, and the last one once stored", async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("write" as const), text: fc.string({ maxLength: 40 }) }),
    fc.record({ kind: fc.constant("rewrite" as const), text: fc.string({ maxLength: 40 }) }),
    fc.record({ kind: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 2_000 }) }),
    fc.record({ kind: fc.constant("store" as const) }),
    fc.record({ kind: fc.constant("lose" as const) }),
  );
  const property = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
    let failing = false;
    const shown = [""];
    const stage = await openJournalStage({
      durability: { baseElements: 3, maxBytes: 200 },
      capBytes: 100,
      wrap: (storage) => failWhile(storage, () => failing),
    });
    for (const step of steps) {
      if (step.kind === "write") stage.write(step.text);
      if (step.kind === "rewrite") stage.tracker.state = { text: step.text };
      if (step.kind === "advance") stage.clock.advance(step.ms);
      if (step.kind === "lose") {
        failing = true;
        await stage.journal.write("interval").catch(() => undefined);
        failing = false;
      }
      if (step.kind === "store") await stage.journal.write("interval");
      shown.push(stage.tracker.snapshot().text);
      const recovered = (await stage.recovered())?.text ?? "";
      expect(step.kind === "store" ? [shown.at(-1)] : shown).toContain(recovered);
      expect((await stage.stored()).length).toBeLessThanOrEqual(4);
    }
  });

  await fc.assert(property, { numRuns: process.env["CI"] === "true" ? 2_000 : 100 });
});

function failWhile(storage: SessionStorage, failing: () => boolean): SessionStorage {
  return wrapStorage(storage, {
    commit: (scope, build, options) =>
      storage.commit(
        scope,
        (transaction) => {
          const value = build(transaction);
          if (failing()) throw new StorageError("write_failed", "The disk is full.");
          return value;
        },
        options,
      ),
  });
}
