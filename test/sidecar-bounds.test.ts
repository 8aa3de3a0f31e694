import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { createLocalEnv, DEFAULT_MAX_BYTES } from "../src/exec/index.js";
import type { Clock } from "../src/exec/index.js";
import {
  DEFAULT_BASE_ELEMENTS,
  DEFAULT_DURABLE_INTERVAL_MS,
  DEFAULT_DURABLE_MAX_BYTES,
  laneEntries,
  openHarness,
} from "../src/harness/index.js";
import type { HarnessCounters } from "../src/harness/index.js";
import { createScriptedModel, parseScript } from "../src/models/index.js";
import { createJsonlStorage } from "../src/storage/index.js";
import type { SessionStorage } from "../src/storage/index.js";
import type { AgentHarnessTool } from "../src/tools/index.js";

// The real harness over real files, on a clock that moves when the call has printed a portion; unless said otherwise,
// every portion is one durable flush. The files are looked at after every commit.

const KB = 1_024;
const isCi = process.env["CI"] === "true";
const flushes = isCi ? 10_000 : 1_500;

// A hang limit, far above what any of these takes.
vi.setConfig({ testTimeout: 300_000 });

test.each<{ what: string; portions: readonly string[] }>([
  { what: "text that stays below the cap", portions: makePortions(flushes, () => 5) },
  { what: "a window that slides a little", portions: makePortions(flushes, (random) => random(400)) },
  { what: "a window that every flush turns over", portions: makePortions(flushes / 4, () => 60_000) },
  // Small ones leave as much dead as they can before the large ones come.
  { what: "small portions and large ones in turn", portions: makePortions(flushes, inTurn) },
])("[H5] a long call, $what: a sidecar of at most 512 KB at any moment, and none in the end", async ({ portions }) => {
  await using run = await runSession(portions);

  expect(run.counters.tools.durableElements).toBeGreaterThanOrEqual(portions.length);
  expect(run.peakSidecarBytes).toBeGreaterThan(DEFAULT_MAX_BYTES);
  expect(run.peakSidecarBytes).toBeLessThanOrEqual(512 * KB);
  expect(run.sidecars()).toEqual([]);
  expect(run.mainBytes - run.mainBytesBeforeSettling).toBeLessThanOrEqual(run.entryBytes + KB);
});

test.each([
  { what: "256 KiB over 20 flushes", count: 20, bytes: 13_107 },
  { what: "10 MB over 2,000 flushes", count: isCi ? 2_000 : 200, bytes: 5_000 },
])("[H5] $what are stored as deltas and bases, and in the end a marker once (O31, X20)", async ({ count, bytes }) => {
  const marker = "0123456789abcdef-once-0123456789";
  await using run = await runSession([...makePortions(count, () => bytes), `${marker}\n`]);
  const { durableBytes, durableElements, liveBytes } = run.counters.tools;

  const dueBases = durableElements / DEFAULT_BASE_ELEMENTS + liveBytes / (4 * DEFAULT_MAX_BYTES) + 1;
  expect(durableBytes).toBeLessThanOrEqual(liveBytes + dueBases * 1.25 * DEFAULT_MAX_BYTES);
  expect(run.sidecars()).toEqual([]);
  expect(run.mainLog().split(marker)).toHaveLength(2);
});

test("[H5] of 12 MB of output the log's longest line is the cap and at most 2 KB (X21)", async () => {
  await using run = await runSession(
    Array.from({ length: 240 }, (_, place) => `${`${place} `.repeat(25)}\n`.repeat(500)),
  );

  const longest = Math.max(
    ...run
      .mainLog()
      .split("\n")
      .map((line) => Buffer.byteLength(line)),
  );
  expect(longest).toBeGreaterThan(DEFAULT_MAX_BYTES);
  expect(longest).toBeLessThanOrEqual(DEFAULT_MAX_BYTES + 2 * KB);
});

test("[H5] the main log is as large after many updates as after ten (X22)", async () => {
  await using few = await runSession(makePortions(10, () => 6_000));
  await using many = await runSession(makePortions(flushes, () => 300));

  expect(many.mainBytes).toBeLessThan(1.1 * few.mainBytes);
});

test("[H5] what a session stores grows with its steps, not with their square (X24)", async () => {
  const steps = isCi ? [100, 200, 400, 800] : [10, 20, 40];
  const bytes: number[] = [];
  for (const prompts of steps) {
    await using run = await runSession(["x".repeat(1_000)], { prompts });
    bytes.push(run.mainBytes);
    expect(run.sidecars()).toEqual([]);
  }

  for (const [place, size] of bytes.slice(1).entries()) expect(size / (bytes[place] ?? 0)).toBeLessThan(2.05);
});

test("[H5] chunks are stored by time and by weight, not by their number (X43)", async () => {
  const [count, bytes, chunkMs] = [isCi ? 160_000 : 8_000, 64, 2];
  await using run = await runSession(
    makePortions(count, () => bytes),
    { chunkMs },
  );

  const { durableElements, durableBytes } = run.counters.tools;
  const due = (count * chunkMs) / DEFAULT_DURABLE_INTERVAL_MS + durableBytes / DEFAULT_DURABLE_MAX_BYTES;
  expect(durableElements).toBeGreaterThan(2);
  expect(durableElements).toBeLessThanOrEqual(due + 3);
});

function inTurn(random: (below: number) => number, place: number): number {
  return place % 80 < DEFAULT_BASE_ELEMENTS ? 750 : 40_000 + random(20_000);
}

interface PlayedSession extends AsyncDisposable {
  readonly counters: HarnessCounters;
  readonly peakSidecarBytes: number;
  /** Of the main log, before the last call ended and after its operation settled. */
  readonly mainBytesBeforeSettling: number;
  readonly mainBytes: number;
  /** The last call's entry as JSON. */
  readonly entryBytes: number;
  mainLog(): string;
  sidecars(): readonly string[];
}

interface SessionOptions {
  /** Operations, with one call each. Default 1. */
  readonly prompts?: number;
  /** Time between portions, which are then stored as the harness likes. Default: each is a durable flush. */
  readonly chunkMs?: number;
}

/** A session whose calls print `portions`. */
async function runSession(
  portions: readonly string[],
  { prompts = 1, chunkMs }: SessionOptions = {},
): Promise<PlayedSession> {
  const folder = mkdtempSync(join(tmpdir(), "spillway-bounds-"));
  const sessions = watchFolder(join(folder, "sessions"));
  const clock = new StandingClock();
  const created = await createJsonlStorage({ folder: join(folder, "sessions") }).create("s1");
  const { storage, nextCommit } = watchCommits(created, sessions.measure);
  let mainBytesBeforeSettling = 0;
  const tool = makeTool(async (print) => {
    for (const [place, portion] of portions.entries()) {
      const committed = nextCommit();
      print(portion);
      clock.advance(chunkMs ?? 1_000);
      if (chunkMs === undefined) await committed;
      else if (place % 100 === 0) await setImmediate();
    }
    mainBytesBeforeSettling = sessions.mainBytes();
  });
  const env = createLocalEnv({ cwd: folder, environment: {}, spillFolder: join(folder, "spill") });
  const turns = [[{ type: "toolCall", name: "print", args: {} }], [{ type: "text", text: "Done." }]];
  const script = { version: 1, turns: Array.from({ length: prompts }, () => turns).flat() };
  const model = createScriptedModel(parseScript(script));
  const durability = chunkMs === undefined ? { maxBytes: 1 } : {};
  const harness = await openHarness({ storage, env, model, tools: [tool], clock, durability });
  for (let count = 0; count < prompts; count += 1) {
    const operation = await harness.lane().prompt("print");
    expect(await operation.settled).toMatchObject({ status: "completed" });
  }
  const { elements } = await storage.readList(laneEntries("main"), { order: "desc" });
  const entry = elements.find(({ value }) => value.type === "tool")?.value;
  await harness.close();
  return {
    counters: harness.counters,
    peakSidecarBytes: sessions.peakSidecarBytes(),
    mainBytesBeforeSettling,
    mainBytes: sessions.mainBytes(),
    entryBytes: Buffer.byteLength(JSON.stringify(entry)),
    mainLog: () => readFileSync(join(folder, "sessions", "s1.jsonl"), "utf8"),
    sidecars: sessions.sidecars,
    async [Symbol.asyncDispose]() {
      await env.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface WatchedFolder {
  readonly measure: () => void;
  readonly sidecars: () => readonly string[];
  readonly mainBytes: () => number;
  readonly peakSidecarBytes: () => number;
}

function watchFolder(folder: string): WatchedFolder {
  let peak = 0;
  const sizeOf = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  const sidecars = (): readonly string[] => readdirSync(folder).filter((name) => /^s1\.op_.*\.jsonl$/.test(name));
  return {
    measure: () => (peak = Math.max(peak, ...sidecars().map(sizeOf))),
    sidecars,
    mainBytes: () => sizeOf("s1.jsonl"),
    peakSidecarBytes: () => peak,
  };
}

function makeTool(run: (print: (text: string) => void) => Promise<void>): AgentHarnessTool {
  return {
    name: "print",
    description: "Prints portions.",
    parameters: { type: "object" },
    execute: (_id, _params, _signal, out) => run((text) => out.write(text)),
  };
}

interface WatchedCommits {
  readonly storage: SessionStorage;
  /** Resolves when the next commit of a sidecar was acknowledged. */
  readonly nextCommit: () => Promise<void>;
}

function watchCommits(session: SessionStorage, measure: () => void): WatchedCommits {
  let tell = (): void => undefined;
  const storage: SessionStorage = {
    sessionId: session.sessionId,
    async commit(scope, build, options) {
      const committed = await session.commit(scope, build, options);
      measure();
      if (scope.kind === "ephemeral") tell();
      return committed;
    },
    readValue: (address) => session.readValue(address),
    readList: (address, options) => session.readList(address, options),
    liveScopes: () => session.liveScopes(),
    listKeys: (scope) => session.listKeys(scope),
    usage: () => session.usage(),
    fork: (target, options) => session.fork(target, options),
    close: () => session.close(),
  };
  return { storage, nextCommit: () => new Promise((resolve) => (tell = resolve)) };
}

/** Stands until it is moved. */
class StandingClock implements Clock {
  #now = 1_700_000_000_000;
  readonly #timers = new Map<object, { readonly at: number; readonly callback: () => void }>();

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): { cancel(): void } {
    const handle = { cancel: () => void this.#timers.delete(handle) };
    this.#timers.set(handle, { at: this.#now + delayMs, callback });
    return handle;
  }

  advance(byMs: number): void {
    this.#now += byMs;
    for (const [handle, { at, callback }] of this.#timers) {
      if (at > this.#now) continue;
      this.#timers.delete(handle);
      callback();
    }
  }
}

/** Portions of whole lines of varied text, the same in every run. */
function makePortions(count: number, length: (random: (below: number) => number, place: number) => number): string[] {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, (_, place) => {
    let text = "";
    for (const size = length(random, place); text.length < size;) {
      const line = `${place}: ${random(2 ** 30).toString(36)} ${random(2 ** 30).toString(36)} "é" `.repeat(
        1 + random(3),
      );
      text += `${line.slice(0, Math.max(0, size - text.length - 1))}\n`;
    }
    return text || "\n";
  });
}
