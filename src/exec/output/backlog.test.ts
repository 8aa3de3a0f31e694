import { expect, test } from "vitest";
import { Backlog } from "./backlog.js";
import { scanBytes } from "./byte-scan.js";

test("[X1] bytes that wait to become text are as many as the window has, and 256 KiB", () => {
  const backlog = new Backlog(1_000, () => false);
  const read = Buffer.alloc(65_536, "x");

  for (let reads = 0; reads < 4; reads += 1) backlog.add(0, read, scanBytes(read));

  expect(backlog.hasRoom(1_000)).toBe(true);
  expect(backlog.hasRoom(1_001)).toBe(false);
});
