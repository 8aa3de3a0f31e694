import { expect, test } from "vitest";
import { LineMerger } from "./line-merger.js";

test("[X5] of a line that is written over again and again no more than its last frame is held (O15)", () => {
  const appended: string[] = [];
  const merger = new LineMerger({ append: (text) => void appended.push(text), dropOpenLine: () => undefined });

  for (let frame = 1; frame <= 20_000; frame += 1) {
    merger.add(`\rstep ${frame}/20000`);
    expect(merger.progress).toBe(`step ${frame}/20000`);
  }
  merger.add("\n");

  expect(appended).toEqual(["step 20000/20000\n"]);
});
