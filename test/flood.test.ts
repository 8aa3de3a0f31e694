import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { DEFAULT_MAX_BYTES } from "../src/exec/index.js";
import { createBashTool } from "../src/tools/index.js";
import type { BashToolDetails } from "../src/tools/index.js";
import { repository } from "./support/files.js";
import { openStage } from "./support/stage.js";
import type { Stage } from "./support/stage.js";

const FILE_BYTES = process.env["CI"] === "true" ? 1_073_741_824 : 67_108_864;
const MEMORY_ROOM_BYTES = 67_108_864 + DEFAULT_MAX_BYTES;
/** By design a view of a full window comes every 500 ms. */
const MAX_SILENCE_MS = 5_000;

test("[X1] a huge file through every layer: window, totals and spill are exact, memory is flat, the view stays live", async () => {
  await using stage = await openStage("cat big.txt", createBashTool());
  const { hash, lines, end } = await writeLines(join(stage.folder, "big.txt"));
  const watch = watchStage(stage);

  const operation = await stage.lane.prompt("read it");
  const result = await operation.settled;
  watch.stop();

  expect(result.status).toBe("completed");
  const entry = stage.lane.view().transcript.find((one) => one.type === "tool");
  expect(entry?.output.truncation).toMatchObject({ totalBytes: FILE_BYTES, totalLines: lines, truncated: true });
  const text = entry?.output.content[0]?.type === "text" ? entry.output.content[0].text : "";
  expect(text.length).toBeGreaterThan(DEFAULT_MAX_BYTES - 200);
  expect(end.endsWith(text)).toBe(true);
  expect(await hashOf((entry?.output.details as BashToolDetails | undefined)?.spillPath ?? "")).toBe(hash);
  expect(stage.consumer.value).toEqual(stage.facet.snapshot());
  expect(watch.seen.midway).toBeGreaterThan(0);
  expect(watch.seen.longestSilenceMs).toBeLessThan(MAX_SILENCE_MS);
  expect(watch.seen.growthBytes).toBeLessThan(MEMORY_ROOM_BYTES);
}, 300_000);

interface Watch {
  readonly seen: {
    /** How much memory came on top of what there was. */
    growthBytes: number;
    /** The longest time without a message for the consumer. */
    longestSilenceMs: number;
    /** Messages after which the consumer showed a part of the output, and not yet all of it. */
    midway: number;
  };
  stop(): void;
}

function watchStage(stage: Stage): Watch {
  const before = process.memoryUsage().rss;
  const seen = { growthBytes: 0, longestSilenceMs: 0, midway: 0 };
  let changedAt = performance.now();
  const leave = stage.consumer.onChange(() => {
    changedAt = performance.now();
    const row = stage.consumer.value?.rows.find((one) => one.type === "tool");
    const shown = row?.output?.truncation.totalBytes ?? 0;
    if (shown > 0 && shown < FILE_BYTES) seen.midway += 1;
  });
  const timer = setInterval(() => {
    seen.growthBytes = Math.max(seen.growthBytes, process.memoryUsage().rss - before);
    seen.longestSilenceMs = Math.max(seen.longestSilenceMs, performance.now() - changedAt);
  }, 20);
  return {
    seen,
    stop() {
      leave();
      clearInterval(timer);
    },
  };
}

/** Lines that differ, to exactly the size; gives what a reader of the file would find. */
async function writeLines(path: string): Promise<{ hash: string; lines: number; end: string }> {
  const program = join(repository, "test/fixtures/write-lines.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [program, path, String(FILE_BYTES)], {
    maxBuffer: 1_048_576,
  });
  return JSON.parse(stdout) as { hash: string; lines: number; end: string };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
