import { readFileSync } from "node:fs";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { apply, decoder, isBase } from "../../src/delta/index.js";
import type { WireBatch } from "../../src/delta/index.js";
import type { ChatState, ChatToolRow } from "../../src/facet/index.js";
import { buildCli, openCliStage, parseLines } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { listState, readState } from "./support/sessions.js";

beforeAll(buildCli, 120_000);

let stage: CliStage;
beforeEach(() => {
  stage = openCliStage();
});
afterEach(() => stage[Symbol.dispose]());

interface Batch {
  readonly seq: number;
  readonly ops: WireBatch;
}

/** What a consumer of the lines ends with, and what it was sent on the way, in UTF-8 bytes of JSON. */
function consume(batches: readonly Batch[]): { call: ChatToolRow; bytes: number; snapshotBytes: number } {
  const decode = decoder();
  let state: ChatState | undefined;
  let bytes = 0;
  let snapshotBytes = 0;
  for (const { seq, ops } of batches) {
    state = apply(state, decode.decode(ops));
    bytes += Buffer.byteLength(JSON.stringify({ seq, ops }));
    snapshotBytes += Buffer.byteLength(JSON.stringify(state));
  }
  const call = state?.rows.find((row) => row.type === "tool");
  if (call === undefined) throw new Error("no call was told");
  return { call, bytes, snapshotBytes };
}

test("[R5] the lines are open, batches without a gap, and the report; their fold is the result", async () => {
  const ended = await stage.start(["run", "--json", "--", "echo hello; exit 3"]).ended;
  const lines = parseLines(ended.stdout);

  expect(ended.code).toBe(3);
  expect(ended.stderr).toBe("");
  expect(lines.map((line) => line["type"])).toEqual(["open", ...lines.slice(2).map(() => "batch"), "report"]);
  expect(lines[0]).toEqual({
    type: "open",
    session: expect.stringMatching(/^[a-z0-9_-]{1,64}$/),
    operation: expect.stringMatching(/^op_/),
  });
  const batches = lines.slice(1, -1) as unknown as Batch[];
  expect(batches.map(({ seq }) => seq)).toEqual(batches.map((_, index) => (batches[0]?.seq ?? 0) + index));
  expect(isBase(batches[0]?.ops ?? [])).toBe(true);
  expect(consume(batches).call).toMatchObject({
    state: "failed",
    args: { command: "echo hello; exit 3" },
    output: { content: [{ type: "text", text: "hello\n" }, { notice: true }] },
  });
});

test("[R10] the report's figures are those of this run", async () => {
  const command = "for i in $(seq 30); do seq $((i * 1000)) $((i * 1000 + 900)); sleep 0.02; done";
  const ended = await stage.start(["run", "--json", "--max-lines", "500", "--", command]).ended;
  const lines = parseLines(ended.stdout);
  const { call, bytes, snapshotBytes } = consume(lines.slice(1, -1) as unknown as Batch[]);
  const report = lines.at(-1);

  const text = call.output?.content[0];
  const windowText = text?.type === "text" ? text.text : "";
  const spill = report?.["spill"] as { path: string };
  const whole = readFileSync(spill.path);
  expect(report).toMatchObject({
    type: "report",
    command,
    exitCode: 0,
    signal: null,
    produced: { bytes: whole.length, lines: 30 * 901 },
    window: { bytes: windowText.length, lines: 500, maxBytes: 51_200, maxLines: 500, truncatedBy: "lines" },
    wire: { subscribers: 1, bytesEach: bytes, snapshotBytes },
    log: { sidecarBytes: 0 },
    detailsWrites: 1,
    spill: { path: spill.path, bytes: whole.length, complete: true, reason: null },
  });
  const { wire, log, flushes, durationMs } = report as unknown as Report;
  expect(durationMs).toBeGreaterThan(30 * 20);
  expect(wire.newTextBytes).toBeGreaterThan(windowText.length);
  expect(wire.newTextBytes).toBeLessThan(wire.bytesEach);
  expect(wire.bytesEach).toBeLessThan(wire.snapshotBytes);
  const mainLog = listState(stage, "sessions").find((name) => name.endsWith(".jsonl")) ?? "";
  expect(log.mainBytes).toBe(Buffer.byteLength(readState(stage, "sessions", mainLog)));
  expect(log.mainBytes).toBeGreaterThan(windowText.length);
  expect(log.sidecarPeakBytes).toBeGreaterThan(0);
  expect(flushes.live).toBeGreaterThanOrEqual(flushes.durable);
  expect(flushes.durable).toBeGreaterThan(0);
});

interface Report {
  readonly durationMs: number;
  readonly wire: { readonly bytesEach: number; readonly snapshotBytes: number; readonly newTextBytes: number };
  readonly log: { readonly mainBytes: number; readonly sidecarPeakBytes: number };
  readonly flushes: { readonly live: number; readonly durable: number };
}

test("[R10] a command that a signal ended is told with it, and without a spill there is none", async () => {
  const ended = await stage.start(["run", "--json", "--", "kill -SEGV $$"]).ended;

  expect(ended.code).toBe(139);
  expect(parseLines(ended.stdout).at(-1)).toMatchObject({
    exitCode: null,
    signal: "SIGSEGV",
    spill: { path: null, bytes: 0, complete: false, reason: null },
  });
});
