import { expect, test } from "vitest";
import { createManualClock } from "./fixtures/manual-clock.js";
import { Publisher } from "./publisher.js";

test("[X7] the first change after quiet goes at once, later ones together when their time has come", () => {
  const clock = createManualClock();
  let flushes = 0;
  const publisher = new Publisher(clock, () => {
    flushes += 1;
    return 10;
  });

  publisher.touch();
  const first = flushes;
  publisher.touch();
  publisher.touch();
  clock.advance(99);
  const early = flushes;
  clock.advance(1);

  expect([first, early, flushes]).toEqual([1, 1, 2]);
  expect(clock.waiting).toBe(0);
});

test("[X7] what weighs more waits longer", () => {
  const clock = createManualClock();
  let flushes = 0;
  const publisher = new Publisher(clock, () => {
    flushes += 1;
    return 51_200;
  });

  publisher.touch();
  publisher.touch();
  clock.advance(499);
  const early = flushes;
  clock.advance(1);

  expect([early, flushes]).toEqual([1, 2]);
});

test("[X7] a stopped publisher leaves no timer", () => {
  const clock = createManualClock();
  const publisher = new Publisher(clock, () => 1);

  publisher.touch();
  publisher.touch();
  publisher.stop();

  expect(clock.waiting).toBe(0);
});
