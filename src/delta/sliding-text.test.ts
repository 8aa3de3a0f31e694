import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { forEachSeed } from "./fixtures/random.js";
import { apply } from "./index.js";
import { joinPieces, slidePieces, startText } from "./sliding-text.js";

test("[D14] a sliding text equals the plain string, and so does each text it came from", () => {
  forEachSeed(200, (random) => {
    const first = random.text(50);
    const steps = [{ plain: first, text: startText(first) }];
    for (let step = 0; step < 30; step += 1) {
      const { plain, text } = random.pick(steps);
      const added = random.oneIn(3) ? "x".repeat(random.int(5_000)) : random.text(20);
      const drop = random.int(plain.length + 1);
      steps.push(
        random.oneIn(2)
          ? { plain: plain.slice(drop), text: slidePieces(text, drop, "") }
          : { plain: plain + added, text: slidePieces(text, 0, added) },
      );
    }
    for (const { plain, text } of steps) {
      const isSame = joinPieces(text) === plain;
      expect(isSame).toBe(true);
    }
  });
});

/** Small enough for the engine's own heap, which is what is measured. */
const UNITS = 400_000;

test("[D14] a text that lost most of its front does not keep that front in memory", () => {
  const before = heldBytes();
  const kept = Array.from({ length: 50 }, (_, index) => slidePieces(startText(makeText(index)), UNITS - 100, ""));
  expect(heldBytes() - before).toBeLessThan(UNITS * 10);
  expect(kept.every((text) => joinPieces(text).length === 100)).toBe(true);
});

test("[D14] a text that slides for long keeps no more than twice what it shows", () => {
  const values = Array.from({ length: 10 }, () => ({ text: makeText(0) }));
  const before = heldBytes();
  for (let count = 1; count <= 30; count += 1) {
    for (const value of values) slide(value, UNITS / 4, makeText(count, UNITS / 4));
  }
  expect(heldBytes() - before).toBeLessThan(values.length * UNITS * 1.2);
  expect(values.every(({ text }) => text.length === UNITS)).toBe(true);
});

function slide(value: { text: string }, drop: number, text: string): void {
  apply(value, [
    ["t", ["text"], drop],
    ["a", ["text"], text],
  ]);
}

/** Text in one piece of memory, as it comes from a process. */
function makeText(seed: number, units = UNITS): string {
  return Buffer.alloc(units, `${seed} `).toString("latin1");
}

function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
