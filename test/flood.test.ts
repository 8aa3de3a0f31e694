import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { DEFAULT_MAX_BYTES } from "../src/exec/index.js";
import { createBashTool } from "../src/tools/index.js";
import type { BashToolDetails } from "../src/tools/index.js";
import { openStage } from "./support/stage.js";

const FILE_BYTES = process.env["CI"] === "true" ? 1_073_741_824 : 134_217_728;
const MEMORY_ROOM_BYTES = 67_108_864 + DEFAULT_MAX_BYTES;

test("[X1] a huge file through every layer: window, totals and spill are exact, memory is flat, the view stays live", async () => {
  await using stage = await openStage("cat big.txt", createBashTool());
  const { hash, lines, end } = await writeLines(join(stage.folder, "big.txt"));
  const before = process.memoryUsage().rss;
  let peak = before;
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);

  const operation = await stage.lane.prompt("read it");
  const result = await operation.settled;
  clearInterval(look);

  expect(result.status).toBe("completed");
  const entry = stage.lane.view().transcript.find((one) => one.type === "tool");
  expect(entry?.output.truncation).toMatchObject({ totalBytes: FILE_BYTES, totalLines: lines, truncated: true });
  const text = entry?.output.content[0]?.type === "text" ? entry.output.content[0].text : "";
  expect(text.length).toBeGreaterThan(DEFAULT_MAX_BYTES - 200);
  expect(end.endsWith(text)).toBe(true);
  expect(await hashOf((entry?.output.details as BashToolDetails | undefined)?.spillPath ?? "")).toBe(hash);
  expect(stage.consumer.value).toEqual(stage.facet.snapshot());
  expect(stage.messages.length).toBeGreaterThan(5);
  expect(peak - before).toBeLessThan(MEMORY_ROOM_BYTES);
}, 300_000);

/** Lines that differ, to exactly the size; gives what a reader of the file would find. */
async function writeLines(path: string): Promise<{ hash: string; lines: number; end: string }> {
  const hash = createHash("sha256");
  let lines = 0;
  let end = "";
  function* blocks(): Generator<Buffer> {
    let left = FILE_BYTES;
    while (left > 0) {
      let block = "";
      while (block.length < 1_048_576) {
        lines += 1;
        block += `line ${lines}: ${Math.imul(lines, 2_654_435_761).toString(36)} ${"=".repeat(lines % 90)}\n`;
      }
      const bytes = Buffer.from(block).subarray(0, left);
      // The last block may end within a line, which counts as one.
      const surplus = block.slice(bytes.length).split("\n").length - 1;
      lines -= bytes.at(-1) === 0x0a ? surplus : Math.max(0, surplus - 1);
      left -= bytes.length;
      hash.update(bytes);
      end = (end + bytes.toString()).slice(-2 * DEFAULT_MAX_BYTES);
      yield bytes;
    }
  }
  await pipeline(Readable.from(blocks()), createWriteStream(path));
  return { hash: hash.digest("hex"), lines, end };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
