import { expect, test } from "vitest";
import { ArrayRuns, NEW } from "./array-runs.js";
import { forEachSeed } from "./fixtures/random.js";

test("[D6] runs tell where each element came from and went, and their edits rebuild the array", () => {
  forEachSeed(500, (random) => {
    const old = Array.from({ length: random.int(8) }, (_, index) => index);
    const runs = new ArrayRuns(old.length);
    const array = [...old];
    for (let step = random.int(8); step > 0; step -= 1) {
      const index = random.int(array.length + 1);
      const remove = random.int(array.length - index + 1);
      const items = Array.from({ length: random.int(3) }, () => NEW);
      array.splice(index, remove, ...items);
      runs.splice(index, remove, items.length);
    }
    const rebuilt = [...old];
    for (const { index, remove, insert } of runs.edits()) {
      rebuilt.splice(index, remove, ...Array.from({ length: insert }, () => NEW));
    }
    expect(rebuilt).toEqual(array);
    expect(array.map((_, index) => runs.oldIndex(index))).toEqual(array);
    expect(old.map((at) => runs.newIndex(at))).toEqual(old.map((at) => array.indexOf(at)));
    expect(runs.unmoved).toBe(runs.edits().length === 0);
    expect(runs.replaced).toBe(old.length > 0 && array.every((from) => from === NEW));
  });
});

test("[D7] edits that meet are one, however they were made", () => {
  const runs = new ArrayRuns(10);
  for (let count = 0; count < 1_000; count += 1) {
    runs.splice(5, 0, 1);
    runs.splice(5, 1, 0);
  }
  expect(runs.edits()).toEqual([]);
  runs.splice(4, 1, 1);
  runs.splice(5, 1, 2);
  runs.splice(7, 0, 1);
  expect(runs.edits()).toEqual([{ index: 4, remove: 2, insert: 4 }]);
});

test("[D11] a copy is a way back", () => {
  const runs = new ArrayRuns(3);
  runs.splice(1, 1, 0);
  const copy = runs.copy();
  runs.splice(0, 2, 5);
  expect(copy.edits()).toEqual([{ index: 1, remove: 1, insert: 0 }]);
  expect([copy.oldIndex(1), copy.newIndex(1)]).toEqual([2, NEW]);
});
