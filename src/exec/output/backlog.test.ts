import { expect, test } from "vitest";
import { Backlog } from "./backlog.js";

test("[X1] bytes that wait to become text are as many as the window has, and 256 KiB", () => {
  const backlog = new Backlog(1_000, () => false);
  const read = Buffer.alloc(65_536, "x");

  for (let reads = 0; reads < 4; reads += 1) backlog.add(0, read, 0);

  expect(backlog.hasRoom(1_000)).toBe(true);
  expect(backlog.hasRoom(1_001)).toBe(false);
});

test("[X1] of a flood so much is taken as unseen that what is left fills the window, and begins with a line", () => {
  const backlog = new Backlog(1_000, (lines, textBytes) => lines > 2_000 || textBytes > 1_000);
  const read = Buffer.alloc(16_384, "line\n");
  for (let reads = 0; reads < 16; reads += 1) backlog.add(reads % 2 === 0 ? 0 : 1, read, 3_277);

  const unseen = backlog.takeUnseen();
  const left = Buffer.concat(backlog.take().map(({ bytes }) => bytes));

  expect(unseen.at(-1)?.bytes.at(-1)).toBe(0x0a);
  expect(left.length).toBeGreaterThan(1_000);
  expect(left.length).toBeLessThanOrEqual(2 * 16_384);
});

test("[X1] nothing is unseen of what may be swallowed by a sequence, or is taken back, until its pipe has ended a line", () => {
  const backlog = new Backlog(100, (lines, textBytes) => lines > 2_000 || textBytes > 100);
  backlog.add(0, Buffer.from("early\n"), 1);
  backlog.add(0, Buffer.from(`first\n${"x".repeat(300)}\u001b]0;`), 1);
  expect(backlog.takeUnseen()).toEqual([]);

  backlog.add(1, Buffer.from(`${"y".repeat(300)}\n`), 1);
  expect(backlog.takeUnseen()).toEqual([]);

  backlog.add(1, Buffer.from(`${"z".repeat(300)}\n`), 1);
  expect(Buffer.concat(backlog.takeUnseen().map(({ bytes }) => bytes)).toString()).toMatch(/^early\nfirst\nx{300}/);
});
