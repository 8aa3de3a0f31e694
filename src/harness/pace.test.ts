import { expect, test } from "vitest";
import { ManualClock } from "./fixtures/manual-clock.js";
import { Pace } from "./pace.js";

test("[E2] the first change after quiet goes at once, later ones together when their time has come", () => {
  const clock = new ManualClock();
  let flushes = 0;
  const pace = new Pace(clock, () => {
    flushes += 1;
    return 10;
  });

  pace.mark();
  const first = flushes;
  pace.mark();
  pace.mark();
  clock.advance(99);
  const early = flushes;
  clock.advance(1);

  expect([first, early, flushes]).toEqual([1, 1, 2]);
  expect(clock.waiting).toBe(0);
});

test("[E2] what weighs more waits longer", () => {
  const clock = new ManualClock();
  let flushes = 0;
  const pace = new Pace(clock, () => {
    flushes += 1;
    return 51_200;
  });

  pace.mark();
  pace.mark();
  clock.advance(499);
  const early = flushes;
  clock.advance(1);

  expect([early, flushes]).toEqual([1, 2]);
});

test("[E2] a stopped pace leaves no timer", () => {
  const clock = new ManualClock();
  const pace = new Pace(clock, () => 1);

  pace.mark();
  pace.mark();
  pace.stop();

  expect(clock.waiting).toBe(0);
});
