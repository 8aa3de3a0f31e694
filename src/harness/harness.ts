import { systemClock } from "../exec/index.js";
import { ID_PATTERN } from "../protocol/index.js";
import type { LaneId } from "../protocol/index.js";
import type { Harness, HarnessOptions, RecoveryReport } from "./contract.js";
import { emptyStreamCounters } from "./counters.js";
import { HarnessError } from "./errors.js";
import { readLane, readLanes } from "./history.js";
import { createIds } from "./ids.js";
import { LaneWork } from "./lane-work.js";
import { readDurability, readLimits } from "./limits.js";
import { openPolicy } from "./permission/policy.js";
import { offerTool } from "./runtime.js";
import type { Runtime } from "./runtime.js";

export const DEFAULT_LANE = "main";

/** Opens a session: reads its lanes and starts nothing. */
export async function openHarness(options: HarnessOptions): Promise<Harness> {
  const runtime = await makeRuntime(options);
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
    async forkLane(from, entryId, to) {
      if (closing !== undefined) throw new HarnessError("closed", "The harness was closed; open the session again.");
      if (lanes.has(checkLaneId(to))) {
        throw new HarnessError("lane_exists", `There is a lane ${to} already; fork into another name.`);
      }
      const source = lanes.get(from);
      if (source === undefined) throw new HarnessError("unknown_lane", `There is no lane ${from} to fork.`);
      const lane = source.fork(entryId, to);
      lanes.set(to, lane);
      await lane.begin().catch((error: unknown) => {
        lanes.delete(to);
        throw error;
      });
      return lane;
    },
    get policy() {
      return runtime.policy.policy;
    },
    setPolicy: (policy) => runtime.policy.store(policy),
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

async function makeRuntime(options: HarnessOptions): Promise<Runtime> {
  const deferredTools = options.deferredTools ?? [];
  refuseDoubles([...options.tools, ...deferredTools].map(({ name }) => name));
  const random = options.random ?? Math.random;
  return {
    storage: options.storage,
    env: options.env,
    model: options.model,
    tools: options.tools.map(offerTool),
    deferredTools: deferredTools.map(offerTool),
    system: options.system,
    limits: readLimits(options),
    policy: await openPolicy(options.storage, options.policy),
    beforeTool: options.beforeTool,
    durability: readDurability(options),
    recovery: options.recovery ?? {},
    clock: options.clock ?? systemClock,
    random,
    newId: createIds(random),
    counters: { tools: emptyStreamCounters(), messages: emptyStreamCounters() },
  };
}

function refuseDoubles(names: readonly string[]): void {
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new HarnessError("invalid_argument", `Two tools have the name "${double}".`);
}

function checkLaneId(id: LaneId): LaneId {
  if (ID_PATTERN.test(id)) return id;
  throw new HarnessError("invalid_argument", `A lane's id is 1 to 64 characters of a-z, 0-9, _ and -; not "${id}".`);
}
