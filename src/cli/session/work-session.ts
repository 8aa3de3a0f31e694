import { rmdirSync } from "node:fs";
import { readSpillFate, stopMarked } from "../../exec/index.js";
import type { Clock, ExecutionEnv, ExecutionPlan, ProcessInfo } from "../../exec/index.js";
import type { ChatState, FacetHost } from "../../facet/index.js";
import { openHarness, sessionPolicy } from "../../harness/index.js";
import type { Harness, Lane, PermissionPolicy } from "../../harness/index.js";
import type { Model } from "../../models/index.js";
import type { HarnessEvent, LaneId, SessionId } from "../../protocol/index.js";
import type { SessionStorage, StorageUsage } from "../../storage/index.js";
import { createBashTool } from "../../tools/index.js";
import type { AgentHarnessTool } from "../../tools/index.js";
import type { CliContext } from "../context.js";
import { LaneFacets } from "../host/lane-facets.js";
import type { SessionSettings } from "./settings.js";
import type { SessionStore } from "./store.js";

/** A session that this process writes: every layer of it, from the env to the facets that viewers subscribe to. */
export interface WorkSession<Env extends ExecutionEnv = ExecutionEnv> {
  readonly id: SessionId;
  /** Unix milliseconds. */
  readonly openedAt: number;
  readonly env: Env;
  readonly harness: Harness;
  /** The lane that the CLI's own commands work in. */
  readonly lane: Lane;
  /** Whether a model works in it to which something can be said. */
  readonly takesMessages: boolean;
  /** Its chat. */
  readonly chat: FacetHost<ChatState>;
  /** Undefined where there is no such lane. */
  facets(lane: LaneId): LaneFacets | undefined;
  /** Stops what runs in a lane; false where nothing does. */
  abort(lane: LaneId, reason: string): boolean;
  /** Changes of calls' details that their updates stated. */
  readonly detailsWrites: number;
  /** What its files hold; of the main log what was added since the session was opened. */
  usage(): Promise<StorageUsage>;
  /** Kills what runs, without grace, for a process that leaves right after. */
  kill(): Promise<void>;
  /** Ends what is left of the session, the executions that a command left running included. */
  close(): Promise<void>;
}

export interface WorkSessionOptions<Env extends ExecutionEnv> {
  readonly store: SessionStore;
  /** Opened for writing; closed with the session. */
  readonly storage: SessionStorage;
  /** Closed with the session. */
  readonly env: Env;
  readonly model: Model;
  /** Whether something can be said to that model. Default false: that of `run` says what it was made to say. */
  readonly takesMessages?: boolean | undefined;
  /** Default the bash that `run` uses. */
  readonly tools?: readonly AgentHarnessTool[] | undefined;
  readonly settings: SessionSettings;
  /** What a model that does more than one call is told and permitted; what is interrupted there goes on. */
  readonly agent?: AgentOptions | undefined;
  /** What is done beside, which the session's end waits for. */
  readonly sweeping: Promise<void>;
  /** Whether the session was made for this; its whole log then counts as written here. */
  readonly isNew: boolean;
}

export interface AgentOptions {
  readonly system: string;
  /** Default the one that is stored with the session. */
  readonly policy?: PermissionPolicy | undefined;
}

const KILL_EFFORT_MS = 1_000;
const KILL_PAUSE_MS = 5;

export async function openWorkSession<Env extends ExecutionEnv>(
  options: WorkSessionOptions<Env>,
  context: CliContext,
): Promise<WorkSession<Env>> {
  const { store, storage, env, model, settings, agent } = options;
  const { clock, random } = context;
  const id = storage.sessionId;
  const openedAt = clock.now();
  const harness = await openHarness({
    storage,
    env,
    model,
    tools: options.tools ?? [createBashTool({ output: settings.limits, encoding: settings.encoding })],
    system: agent?.system,
    policy: agent === undefined ? await lift(storage) : agent.policy,
    recovery: {
      stopExecution: (plan) => stopLeft(env, plan, context),
      spillBytes,
      afterInterruption: agent === undefined ? "settle" : "goOn",
    },
    clock,
    random,
  });
  const lane = harness.lane();
  const own = new LaneFacets(lane);
  const facets = new Map(
    harness.lanes().map((known) => [known.id, known.id === lane.id ? own : new LaneFacets(known)]),
  );
  const { mainBytes: earlierBytes } = options.isNew ? { mainBytes: 0 } : await storage.usage();
  let detailsWrites = 0;
  lane.subscribe({
    open: () => undefined,
    receive: (group) => (detailsWrites += group.reduce((sum, event) => sum + countDetailsWrites(event), 0)),
    end: () => undefined,
  });

  return {
    id,
    openedAt,
    env,
    harness,
    lane,
    takesMessages: options.takesMessages ?? false,
    chat: own.chat,
    facets: (laneId) => facets.get(laneId),
    abort: (laneId, reason) => harness.lanes().some((known) => known.id === laneId && known.abort(reason)),
    get detailsWrites() {
      return detailsWrites;
    },
    async usage() {
      const usage = await storage.usage();
      return { ...usage, mainBytes: usage.mainBytes - earlierBytes };
    },
    kill: () => killAll(env, clock),
    async close() {
      await harness.close();
      for (const facet of facets.values()) facet.end();
      await env.close();
      await options.sweeping;
      removeIfEmpty(store.places.spillFolder(id));
    },
  };
}

/** What a person runs by a command of the CLI is permitted by that, whatever a model of the session may do by itself. */
async function lift(storage: SessionStorage): Promise<PermissionPolicy | undefined> {
  const stored = await storage.readValue(sessionPolicy);
  return stored && { tools: {}, others: "allow" };
}

/** By the env that has it, or, where none does any more, by the mark that its processes bear. */
async function stopLeft(
  env: ExecutionEnv,
  plan: ExecutionPlan,
  { clock, environment }: CliContext,
): Promise<readonly ProcessInfo[]> {
  const killed = await env.kill(plan.executionId);
  return killed.ok ? killed.value.survivors : stopMarked(plan, { clock, environment });
}

async function spillBytes(path: string): Promise<number | undefined> {
  const fate = await readSpillFate(path);
  return fate.state === "present" ? fate.bytes : undefined;
}

function countDetailsWrites(event: HarnessEvent): number {
  if (event.type !== "tool_update") return 0;
  return event.ops.filter((op) => op[0] !== "r" && op[1][0] === "details").length;
}

/** Again and again, because what is killed may have forked while it was looked up. */
async function killAll(env: ExecutionEnv, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + KILL_EFFORT_MS;
  for (;;) {
    const pids = (await env.list()).flatMap((execution) => execution.pids);
    if (pids.length === 0 || clock.monotonic() > deadline) return;
    for (const pid of pids) killProcess(pid);
    await new Promise((resolve) => setTimeout(resolve, KILL_PAUSE_MS));
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** Most outputs need no spill, and a folder for each of them would be litter. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It holds a spill, which stays, or it is gone already.
  }
}
