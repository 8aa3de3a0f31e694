import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { apply, decoder, encoder, isBase } from "../src/delta/index.js";
import type { Batch, Op, WireBatch } from "../src/delta/index.js";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../src/exec/index.js";
import type { ChatToolRow } from "../src/facet/index.js";
import { laneEntries, operationToolMemo, pendingToolOutput } from "../src/harness/index.js";
import { emptyLaneView, reduceLaneSnapshot } from "../src/lane/index.js";
import type { HarnessEvent, ToolEntry, ToolOutputState, ToolStart, ToolUpdate } from "../src/protocol/index.js";
import { ephemeralScope } from "../src/storage/index.js";
import type { EphemeralScope } from "../src/storage/index.js";
import { createBashTool } from "../src/tools/index.js";
import type { AgentHarnessTool } from "../src/tools/index.js";
import { layGatedBuild } from "./support/gated-build.js";
import type { GatedBuild, LineKind } from "./support/gated-build.js";
import { createSeedTool } from "./support/seed-tool.js";
import { openStage } from "./support/stage.js";
import type { Stage } from "./support/stage.js";

// The seed's example, section by section: a real shell prints 256 KB in 20 portions through a window of 50 KB. It waits
// for a file before each portion, and the test makes that file once a consumer has seen the portion before.

const PORTIONS = 20;
const PORTION_BYTES = 13_107;
const TOTAL_BYTES = PORTIONS * PORTION_BYTES;
const command = `for i in $(seq 0 ${PORTIONS - 1}); do until [ -e gates/$i ]; do sleep 0.02; done; cat portion-$i; done`;

test.each<LineKind>(["varied", "repetitive"])("[D14] one bash call, section by section: %s lines", async (kind) => {
  const tool = createBashTool();
  await using stage = await openStage(command, tool);
  const build = await layGatedBuild(stage.folder, { kind, count: PORTIONS, bytes: PORTION_BYTES });
  const played = await play(stage, build);

  expect(played.entry.isError).toBe(false);
  await checkCapture(played);
  checkSink(played);
  checkOps(played);
  checkEvents(played);
  await checkStorage(played);
  checkLane(played);
  checkConsumer(played);
  checkCost(played);
});

test.each([0, 2])(
  "[T1] a tool written with the seed's names gives the same text, events, totals and one spill: exit code %i",
  async (exitCode) => {
    const [builtIn, own] = await Promise.all([run(createBashTool(), exitCode), run(createSeedTool(), exitCode)]);

    expect(own.output.content).toEqual(relocate(builtIn.output.content, builtIn, own));
    expect(own.output.truncation).toEqual(builtIn.output.truncation);
    expect(own.eventTypes).toEqual(builtIn.eventTypes);
    expect([own.isError, builtIn.isError]).toEqual([exitCode !== 0, exitCode !== 0]);
    expect(own.wholeTexts).toBe(0);
    expect(own.spills).toEqual([own.spillPath]);
    expect(builtIn.spills).toEqual([builtIn.spillPath]);
  },
);

interface Played {
  readonly stage: Stage;
  readonly build: GatedBuild;
  readonly whole: string;
  readonly start: ToolStart;
  readonly entry: ToolEntry;
  readonly midway: Midway;
}

/** What storage held while the call ran. */
interface Midway {
  readonly elements: readonly { readonly tag?: string; readonly ops: WireBatch }[];
  readonly scopes: readonly EphemeralScope[];
  readonly plan: unknown;
}

async function play(stage: Stage, build: GatedBuild): Promise<Played> {
  const operation = await stage.lane.prompt("build it");
  for (let index = 0; index < PORTIONS; index += 1) {
    if (index === PORTIONS / 2) {
      await vi.waitUntil(() => stage.harness.counters.tools.durableElements > 1, { timeout: 30_000 });
    }
    if (index === PORTIONS - 1) break;
    await build.open(index);
    await stage.until(() => bytesShown(stage) === (index + 1) * PORTION_BYTES);
  }
  const start = stage.events.find((event) => event.type === "tool_start");
  if (start === undefined) throw new Error("no tool was started");
  const midway = await lookAtStorage(stage, operation.id, start.toolCallId);
  await build.open(PORTIONS - 1);
  expect(await operation.settled).toMatchObject({ status: "completed" });
  const entry = stage.lane.view().transcript.find((one) => one.type === "tool");
  if (entry === undefined) throw new Error("no tool entry");
  return { stage, build, whole: build.portions.join(""), start, entry, midway };
}

async function lookAtStorage(stage: Stage, operationId: string, toolCallId: string): Promise<Midway> {
  const list = await stage.storage.readList(pendingToolOutput(operationId, toolCallId));
  return {
    elements: list.elements.map(({ value, tag }) => ({ ops: value, ...(tag !== undefined && { tag }) })),
    scopes: await stage.storage.liveScopes(),
    plan: await readPlan(stage, operationId, toolCallId),
  };
}

async function readPlan(stage: Stage, operationId: string, toolCallId: string): Promise<unknown> {
  const prefix = operationToolMemo(operationId, toolCallId, "").key;
  const keys = await stage.storage.listKeys(ephemeralScope(operationId));
  const memo = keys.find(({ key }) => key.startsWith(prefix));
  return stage.storage.readValue(operationToolMemo(operationId, toolCallId, memo?.key.slice(prefix.length) ?? ""));
}

// Section 2: the env caps at the source, and the spill holds every byte.
async function checkCapture({ whole, entry }: Played): Promise<void> {
  const { spillPath } = entry.output.details as { spillPath: string };
  expect(await readFile(spillPath, "utf8")).toBe(whole);
  expect(entry.output.truncation).toEqual({
    truncated: true,
    truncatedBy: "bytes",
    totalLines: whole.split("\n").length - 1,
    totalBytes: TOTAL_BYTES,
    maxLines: DEFAULT_MAX_LINES,
    maxBytes: DEFAULT_MAX_BYTES,
  });
}

// Section 3: the state is the window, which is the longest suffix of whole lines within the caps, and a notice.
function checkSink({ whole, entry }: Played): void {
  const [window, notice] = entry.output.content;
  const text = window?.type === "text" ? window.text : "";
  expect(whole.endsWith(text)).toBe(true);
  expect(whole.at(-text.length - 1)).toBe("\n");
  const before = whole.slice(0, -text.length - 1);
  const withOneMore = text.length + before.length - before.lastIndexOf("\n");
  expect(text.length <= DEFAULT_MAX_BYTES && withOneMore > DEFAULT_MAX_BYTES).toBe(true);
  expect(notice).toMatchObject({ type: "text", notice: true });
  expect(Object.keys(entry.output).sort()).toEqual(["content", "details", "terminate", "truncation"]);
}

// Section 4: a base, appends, slides as `t` and `a`, the path interned on its second use, the spill path set once.
function checkOps({ stage }: Played): void {
  const batches = toolUpdates(stage.events).map(({ ops }) => ops);
  const [first, ...later] = batches;
  expect(first).toEqual([["r", expect.objectContaining({ content: [{ type: "text", text: "" }], details: {} })]]);
  expect(later.every((batch) => !isBase(batch))).toBe(true);
  expect(later.length).toBeGreaterThanOrEqual(PORTIONS);
  expect(later.length).toBeLessThanOrEqual(PORTIONS * 3);

  const textOps = later.flat().filter((op) => pathOf(op) === "content/0/text");
  expect(new Set(textOps.map(([verb]) => verb))).toEqual(new Set(["a", "t"]));
  const spillOps = later.flat().filter((op) => pathOf(op) === "details/spillPath");
  expect(spillOps.map(([verb]) => verb)).toEqual(["s"]);

  const stream = encoder();
  const wire = batches.map((batch) => stream.encode(batch));
  const [firstUse, secondUse, ...rest] = wire.slice(1).filter((batch) => batch.some(([verb]) => verb === "a"));
  expect(firstUse).toContainEqual(["a", ["content", 0, "text"], expect.any(String)]);
  expect(secondUse).toContainEqual(["#", expect.any(Number), ["content", 0, "text"]]);
  expect(rest.flat().filter((op) => op.some((field) => Array.isArray(field) && field.includes("text")))).toEqual([]);
  expect(wire.some(([slide, append]) => slide?.[0] === "t" && append?.[0] === "a" && append.length === 2)).toBe(true);
}

// Section 5: identity at the start, updates from a base on, an end without content, and nothing after it.
function checkEvents({ stage, start, entry }: Played): void {
  const call = stage.events.filter((event) => "toolCallId" in event);
  expect(start).toMatchObject({ toolName: "bash", args: { command } });
  expect(Object.keys(start).sort()).toEqual(["args", "operationId", "toolCallId", "toolName", "turnId", "type"]);
  expect(call[0]).toBe(start);
  expect(call.at(-1)).toMatchObject({ type: "tool_end", isError: false, entryId: entry.id });
  expect(call.slice(1, -1).every(({ type }) => type === "tool_update")).toBe(true);

  const folded = toolUpdates(stage.events).reduce<ToolOutputState | undefined>(
    (state, { ops }) => apply(state, ops),
    undefined,
  );
  expect(folded).toEqual(entry.output);
}

// Section 6: while it ran, encoded batches in the operation's scope, bases tagged, the plan memoised before the spawn;
// afterwards the scope is retired and the main log holds the settled entry once.
async function checkStorage({ stage, midway, start, entry }: Played): Promise<void> {
  expect(midway.scopes).toEqual([{ kind: "ephemeral", id: start.operationId }]);
  expect(midway.plan).toMatchObject({ executionId: expect.any(String), spillPath: expect.any(String) });
  expect(midway.elements[0]?.tag).toBe("base");
  expect(midway.elements.every(({ ops, tag }) => isBase(ops) === (tag === "base"))).toBe(true);
  const stream = decoder();
  const recovered = midway.elements.reduce<ToolOutputState | undefined>(
    (state, { ops }) => apply(state, stream.decode(ops)),
    undefined,
  );
  expect(recovered?.truncation.maxBytes).toBe(DEFAULT_MAX_BYTES);

  expect(await stage.storage.liveScopes()).toEqual([]);
  const list = await stage.storage.readList(pendingToolOutput(start.operationId, start.toolCallId));
  expect(list.elements).toEqual([]);
  const stored = (await stage.storage.readList(laneEntries("main"))).elements.map(({ value }) => value);
  expect(stored.map(({ type }) => type)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(stored.filter((one) => one.type === "tool" && one.id === entry.id)).toHaveLength(1);
}

// Section 7: the lane's view is the fold of the events, and the settled call stays visible.
function checkLane({ stage, entry }: Played): void {
  const view = emptyLaneView();
  for (const event of stage.events) reduceLaneSnapshot(view, structuredClone(event));
  expect(view).toEqual(stage.lane.view());
  expect(view.operation).toBeNull();
  expect(view.transcript).toContainEqual(entry);
}

// Section 8: exactly {seq, ops}, a base first, each later one at the previous + 1, and the consumer's value is the host's.
function checkConsumer({ stage, entry }: Played): void {
  const messages = stage.messages.map(({ json }) => JSON.parse(json) as { seq: number; ops: WireBatch });
  expect(messages.every((message) => Object.keys(message).join() === "seq,ops")).toBe(true);
  expect(messages.map(({ ops }) => isBase(ops)).lastIndexOf(true)).toBe(0);
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => (messages[0]?.seq ?? 0) + index));
  expect(stage.consumer.value).toEqual(stage.facet.snapshot());
  expect(toolRow(stage)?.output?.content).toEqual(entry.output.content);
  expect(toolRow(stage)?.state).toBe("done");
}

// Section 9: a subscriber is sent what was new to the window, and next to nothing else.
function checkCost({ stage, whole }: Played): void {
  const batches = stage.messages.slice(1);
  const sentBytes = batches.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
  const newTextBytes = Buffer.byteLength(JSON.stringify(whole)) - 2;
  expect(sentBytes).toBeLessThanOrEqual(1.05 * newTextBytes + 60 * batches.length);

  const details = toolUpdates(stage.events)
    .slice(1)
    .flatMap(({ ops }) => ops.filter((op) => pathOf(op).startsWith("details")));
  expect(details).toHaveLength(1);
  expect(stage.messages.map(({ json }) => json).filter((json) => json.includes("spillPath"))).toHaveLength(1);
  expect(stage.facet.counters.encodes).toBe(stage.facet.counters.batches);
}

/** One quick run with `tool`: lines that repeat, so that a slide has to be stated to stay small. */
async function run(tool: AgentHarnessTool, exitCode: number) {
  await using stage = await openStage(
    `for i in $(seq 1 40); do yes 'cc -c unit.c' | head -n 500; sleep 0.05; done; exit ${exitCode}`,
    tool,
  );
  const operation = await stage.lane.prompt("build it");
  await operation.settled;
  const entry = stage.lane.view().transcript.find((one) => one.type === "tool");
  if (entry === undefined) throw new Error("no tool entry");
  const updates = toolUpdates(stage.events);
  const types = stage.events.map(({ type }) => type);
  return {
    output: entry.output,
    isError: entry.isError,
    spillPath: (entry.output.details as { spillPath: string }).spillPath,
    // How many updates a run has depends on the clock: runs of the same type count as one.
    eventTypes: types.filter((type, index) => type !== types[index - 1]),
    wholeTexts: updates.slice(1).filter(({ ops }) => ops.some(isWholeText)).length,
    spills: (await readdir(stage.spillFolder)).map((name) => join(stage.spillFolder, name)),
  };
}

function isWholeText(op: Batch[number]): boolean {
  return op[0] === "s" && pathOf(op) === "content/0/text" && typeof op[2] === "string" && op[2].length > 1_000;
}

/** The same content, with the other run's spill path in it. */
function relocate<T>(content: T, from: { readonly spillPath: string }, to: { readonly spillPath: string }): T {
  return JSON.parse(JSON.stringify(content).replaceAll(from.spillPath, to.spillPath)) as T;
}

function pathOf(op: Op): string {
  return op[0] === "r" ? "" : op[1].join("/");
}

function toolUpdates(events: readonly HarnessEvent[]): ToolUpdate[] {
  return events.filter((event) => event.type === "tool_update");
}

function toolRow(stage: Stage): ChatToolRow | undefined {
  return stage.consumer.value?.rows.find((row) => row.type === "tool");
}

/** Below the cap no totals travel, and the text itself is all there is. */
function bytesShown(stage: Stage): number {
  const output = toolRow(stage)?.output;
  const block = output?.content[0];
  if (output === undefined || block?.type !== "text") return 0;
  return output.truncation.truncated ? output.truncation.totalBytes : block.text.length;
}
