import { systemClock } from "../exec/index.js";
import { ID_PATTERN } from "../protocol/index.js";
import type { LaneId } from "../protocol/index.js";
import type { Harness, HarnessOptions, RecoveryReport } from "./contract.js";
import { emptyStreamCounters } from "./counters.js";
import { HarnessError } from "./errors.js";
import { readLane, readLanes } from "./history.js";
import { createIds } from "./ids.js";
import { DEFAULT_BASE_ELEMENTS, DEFAULT_DURABLE_INTERVAL_MS, DEFAULT_DURABLE_MAX_BYTES } from "./journal.js";
import { LaneWork } from "./lane-work.js";
import { offerTool } from "./runtime.js";
import type { Runtime } from "./runtime.js";

export const DEFAULT_MAX_PARALLEL_CALLS = 8;
export const DEFAULT_LANE = "main";

/** Opens a session: reads its lanes and starts nothing. */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  const runtime = makeRuntime(options);
  const { storage, counters } = runtime;
  const lanes = new Map<LaneId, LaneWork>();
  for (const id of await readLanes(storage)) lanes.set(id, new LaneWork(runtime, id, await readLane(storage, id)));
  let closing: Promise<void> | undefined;

  const harness: Harness = {
    sessionId: storage.sessionId,
    counters,
    lane(id = DEFAULT_LANE) {
      const known = lanes.get(id);
      if (known !== undefined) return known;
      if (closing !== undefined) throw new HarnessError("closed", "The harness was closed; open the session again.");
      const lane = new LaneWork(runtime, checkLaneId(id));
      lanes.set(id, lane);
      return lane;
    },
    lanes: () => [...lanes.values()],
    recover: () => recoverLanes([...lanes.values()]),
    close() {
      closing ??= closeLanes([...lanes.values()]).then(() => storage.close());
      return closing;
    },
    [Symbol.asyncDispose]: () => harness.close(),
  };
  return harness;
}

async function recoverLanes(lanes: readonly LaneWork[]): Promise<RecoveryReport> {
  const outcomes = await Promise.allSettled(lanes.map((lane) => lane.recover()));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return { operations: outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? (outcome.value ?? []) : [])) };
}

async function closeLanes(lanes: readonly LaneWork[]): Promise<void> {
  await Promise.all(lanes.map((lane) => lane.close()));
}

function makeRuntime(options: HarnessOptions): Runtime {
  const { durability } = options;
  const deferredTools = options.deferredTools ?? [];
  refuseDoubles([...options.tools, ...deferredTools].map(({ name }) => name));
  return {
    storage: options.storage,
    env: options.env,
    model: options.model,
    tools: options.tools.map(offerTool),
    deferredTools: deferredTools.map(offerTool),
    system: options.system,
    maxParallelCalls: checkCount("maxParallelCalls", options.maxParallelCalls ?? DEFAULT_MAX_PARALLEL_CALLS),
    durability: {
      intervalMs: checkCount("durability.intervalMs", durability?.intervalMs ?? DEFAULT_DURABLE_INTERVAL_MS),
      maxBytes: checkCount("durability.maxBytes", durability?.maxBytes ?? DEFAULT_DURABLE_MAX_BYTES),
      baseElements: checkCount("durability.baseElements", durability?.baseElements ?? DEFAULT_BASE_ELEMENTS),
    },
    recovery: options.recovery ?? {},
    clock: options.clock ?? systemClock,
    newId: createIds(options.random ?? Math.random),
    counters: { tools: emptyStreamCounters(), messages: emptyStreamCounters() },
  };
}

function refuseDoubles(names: readonly string[]): void {
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new HarnessError("invalid_argument", `Two tools have the name "${double}".`);
}

function checkCount(option: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new HarnessError("invalid_argument", `${option} is a whole number of at least 1, not ${value}.`);
}

function checkLaneId(id: LaneId): LaneId {
  if (ID_PATTERN.test(id)) return id;
  throw new HarnessError("invalid_argument", `A lane's id is 1 to 64 characters of a-z, 0-9, _ and -; not "${id}".`);
}
