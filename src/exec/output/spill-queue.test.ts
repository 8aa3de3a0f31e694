import { expect, test } from "vitest";
import { MAX_QUEUED_BYTES } from "./spill-file.js";
import { SpillQueue } from "./spill-queue.js";

test("[X14] a queue that fills and empties again and again does so in the same blocks", () => {
  const queue = new SpillQueue();
  const read = Buffer.alloc(65_536);
  const blocks = new Set<ArrayBufferLike>();
  // A whole block is being written while the others wait, as in a flood.
  const cycle = (): void => {
    for (let bytes = 0; bytes < 262_144; bytes += read.length) queue.add(read);
    const written = queue.take();
    while (queue.bytes <= MAX_QUEUED_BYTES) queue.add(read);
    for (let block = written; block !== undefined; block = queue.take()) {
      blocks.add(block.buffer);
      queue.release(block);
    }
  };

  for (let first = 0; first < 3; first += 1) cycle();
  const made = blocks.size;
  for (let later = 0; later < 20; later += 1) cycle();

  expect(blocks.size).toBe(made);
});
