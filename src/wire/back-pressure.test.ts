import { setImmediate as tick } from "node:timers/promises";
import { expect, test } from "vitest";
import type { FacetHost } from "../facet/index.js";
import { MIN_PENDING_BYTES } from "./event-stream.js";
import { followFacet, reached } from "./fixtures/followed-facet.js";
import { LazyViewer } from "./fixtures/lazy-viewer.js";
import { openStalled } from "./fixtures/raw-http.js";
import { lanePath, serveLane, tokens } from "./fixtures/served-lane.js";
import type { ServedStage } from "./fixtures/served-lane.js";

/** More than the system takes in for a socket whose other end reads nothing. */
const SYSTEM_BUFFER_BYTES = 300_000;
const UPDATES = process.env["CI"] === "true" ? 100_000 : 5_000;

/** Plays an operation with a running call whose output is this long, and gives the call's id. */
function startCall({ source }: ServedStage, textLength: number): string {
  source.play(source.lane.startOperation());
  const { id, group } = source.lane.startTool();
  source.play(group);
  source.play(source.lane.write(id, "x".repeat(textLength)));
  return id;
}

/** What a base is as it would be sent now. */
function baseBytes(host: FacetHost<object>): number {
  return `id: 0\ndata: ${JSON.stringify({ seq: 0, ops: [["r", host.snapshot()]] })}\n\n`.length;
}

async function openLazy({ socketPath, server }: ServedStage): Promise<LazyViewer> {
  const { open } = server.counters;
  const viewer = new LazyViewer(await openStalled(socketPath, lanePath, tokens.view));
  while (server.counters.open === open) await tick();
  return viewer;
}

// X33 of the reports: a viewer that never reads beside one that keeps up.
test(
  "[W2] who does not drain costs one base at most, delays nobody, and is current after one base",
  { timeout: 600_000 },
  async () => {
    await using stage = await serveLane();
    const { source, server } = stage;
    const id = startCall(stage, 50_000);
    const stalled = await openLazy(stage);
    const quick = followFacet(stage.unix, lanePath);
    await reached(quick.consumer, 0);
    const first = { bases: source.full.counters.bases, seq: quick.consumer.seq ?? 0 };

    let maxPending = 0;
    for (let index = 0; index < UPDATES; index += 1) {
      source.play(source.lane.slide(id, 2_000, `${String(index).padStart(1_999, "y")}\n`));
      maxPending = Math.max(maxPending, server.counters.pendingBytes);
      if (index % 10 === 9) await reached(quick.consumer, first.seq + index - 9);
    }

    await reached(quick.consumer, first.seq + UPDATES);
    expect(quick.consumer.value).toEqual(source.full.snapshot());
    expect(quick.consumer.counters.applied).toBe(1 + UPDATES);
    expect(maxPending).toBeGreaterThan(0);
    expect(maxPending).toBeLessThanOrEqual(baseBytes(source.full));
    expect(source.full.counters.bases).toBe(first.bases);

    source.finish();
    await stalled.readToEnd();
    expect(stalled.consumer).toMatchObject({ value: source.full.snapshot(), seq: first.seq + UPDATES });
    expect(stalled.bases).toBe(2);
  },
);

test("[W2] O35: who reads a piece now and then stays, within one base, and is current in the end", async () => {
  await using stage = await serveLane();
  const { source, server } = stage;
  const id = startCall(stage, 50_000);
  const slow = await openLazy(stage);

  let maxPending = 0;
  for (let index = 0; index < 10_000; index += 1) {
    source.play(source.lane.slide(id, 200, `${String(index).padStart(199, "y")}\n`));
    maxPending = Math.max(maxPending, server.counters.pendingBytes);
    if (index % 50 === 49) await slow.readOnce();
  }
  source.finish();
  await slow.readToEnd();

  expect(server.counters).toMatchObject({ opened: 1, ended: 1 });
  expect(maxPending).toBeLessThanOrEqual(baseBytes(source.full));
  expect(slow.consumer.value).toEqual(source.full.snapshot());
});

// The state's text and a batch's, in characters; a batch of as much text as the state has replaces it.
test.each([
  ["a state smaller than any limit", 200, 200],
  ["a full window that moves by lines", 51_200, 200],
  ["a full window that moves by a quarter", 51_200, 12_800],
  ["a full window that is replaced each time", 51_200, 51_200],
  ["a base that is more than the system takes in", 400_000, 12_800],
])("[W2] what waits for who reads nothing is never more than one base: %s", async (_state, textLength, batchLength) => {
  await using stage = await serveLane();
  const { source, server } = stage;
  const id = startCall(stage, textLength);
  const stalled = await openLazy(stage);

  let maxPending = 0;
  for (let played = 0; played < SYSTEM_BUFFER_BYTES + 4 * textLength; played += batchLength) {
    source.play(source.lane.slide(id, batchLength, `${String(played).padStart(batchLength - 1, "y")}\n`));
    maxPending = Math.max(maxPending, server.counters.pendingBytes);
    await tick();
  }
  source.finish();

  expect(maxPending).toBeGreaterThan(0);
  expect(maxPending).toBeLessThanOrEqual(Math.max(baseBytes(source.full), MIN_PENDING_BYTES));
  expect(source.full.counters.bases).toBe(1);
  await stalled.readToEnd();
  expect(stalled.consumer.value).toEqual(source.full.snapshot());
  expect(stalled.bases).toBe(2);
});

test("[W2] who takes a base slowly has what follows it, not one base after the other", async () => {
  await using stage = await serveLane();
  const { source, server } = stage;
  const id = startCall(stage, 400_000);
  const slow = await openLazy(stage);

  for (let index = 0; index < 20; index += 1) source.play(source.lane.write(id, `line ${index}\n`));
  expect(server.counters.pendingBytes).toBeGreaterThan(0);
  source.finish();

  await slow.readToEnd();
  expect(slow.consumer.value).toEqual(source.full.snapshot());
  expect(slow.bases).toBe(1);
});

// The last state counts, so a base that is owed goes before the end.
test("[W2] who is behind when the stream ends has the last state before the end", async () => {
  await using stage = await serveLane();
  const { source, server } = stage;
  const id = startCall(stage, 0);
  const stalled = await openLazy(stage);
  for (let index = 0; index < 1_000; index += 1) {
    source.play(
      source.lane.editTool(id, (output) => (output.content = [{ type: "text", text: String(index).repeat(9_000) }])),
    );
    if (index % 10 === 0) await tick();
  }
  expect(server.counters.pendingBytes).toBeGreaterThan(0);
  source.finish();

  await stalled.readToEnd();

  expect(stalled.consumer.value).toEqual(source.full.snapshot());
});

test("[W2] who takes nothing at all for too long is cut, and who is merely sent nothing is not", async () => {
  await using stage = await serveLane({ heartbeatMs: 20, stallMs: 400 });
  const { source, server } = stage;
  source.play(source.lane.startOperation());
  const quiet = followFacet(stage.unix);
  await reached(quiet.consumer, 0);
  const stalled = await openStalled(stage.port, lanePath, tokens.view);
  while (server.counters.open < 2) await tick();
  while (server.counters.pendingBytes === 0) {
    source.play(source.lane.prompt("p".repeat(60_000)));
    await tick();
  }

  while (server.counters.open === 2) await tick();

  expect(quiet.state).toBe("following");
  expect(server.counters.opened).toBe(2);
  stalled.destroy();
  quiet.stop();
});
