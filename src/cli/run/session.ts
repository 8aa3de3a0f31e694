import { rmdirSync } from "node:fs";
import { createLocalEnv } from "../../exec/index.js";
import type { Clock, ExecutionEnv } from "../../exec/index.js";
import { chatFacet, createFacetHost } from "../../facet/index.js";
import type { ChatState, FacetHost } from "../../facet/index.js";
import { openHarness } from "../../harness/index.js";
import type { HarnessCounters, Lane } from "../../harness/index.js";
import { createScriptedModel } from "../../models/index.js";
import type { Script } from "../../models/index.js";
import type { HarnessEvent, SessionId } from "../../protocol/index.js";
import { createMemoryStorage } from "../../storage/index.js";
import type { StorageUsage } from "../../storage/index.js";
import { createBashTool } from "../../tools/index.js";
import type { CliContext } from "../context.js";
import { createSessionId, findPlaces, makePrivateFolder } from "../places.js";
import { ObservedEnv } from "./observed-env.js";
import type { ExecutionRecord } from "./observed-env.js";
import type { RunRequest } from "./request.js";

/** Every layer of one run, from the env to the facet that viewers subscribe to. */
export interface RunSession {
  readonly id: SessionId;
  readonly lane: Lane;
  readonly chat: FacetHost<ChatState>;
  readonly counters: HarnessCounters;
  /** Changes of the call's details that its updates stated. */
  readonly detailsWrites: number;
  readonly execution: ExecutionRecord;
  usage(): Promise<StorageUsage>;
  /** Kills what runs, without grace, for a process that leaves right after. */
  kill(): Promise<void>;
  /** Ends what is left of the session, the executions that a command left running included. */
  close(): Promise<void>;
}

const KILL_EFFORT_MS = 1_000;
const KILL_PAUSE_MS = 5;

/** Opens a session in memory whose model calls `bash` once with the command and then ends. */
export async function openRunSession(request: RunRequest, context: CliContext): Promise<RunSession> {
  const places = findPlaces(context);
  const id = createSessionId(context.clock.now(), context.random);
  const spillFolder = places.spillFolder(id);
  makePrivateFolder(places.state);

  const env = new ObservedEnv(
    createLocalEnv({
      cwd: request.cwd,
      environment: context.environment,
      spillFolder,
      allow: request.passedVariables,
      clock: context.clock,
      random: context.random,
    }),
  );
  const storage = await createMemoryStorage().create(id);
  const harness = await openHarness({
    storage,
    env,
    model: createScriptedModel(callOnce(request), { id: "script:run" }),
    tools: [createBashTool({ output: request.limits })],
    clock: context.clock,
    random: context.random,
  });
  const lane = harness.lane();
  const chat = createFacetHost(chatFacet, () => lane.view());
  let detailsWrites = 0;
  lane.subscribe({
    open: () => undefined,
    receive: (group) => {
      detailsWrites += group.reduce((sum, event) => sum + countDetailsWrites(event), 0);
      chat.deliver(group);
    },
    end: () => chat.close(),
  });

  return {
    id,
    lane,
    chat,
    counters: harness.counters,
    get detailsWrites() {
      return detailsWrites;
    },
    get execution() {
      return env.record;
    },
    usage: () => storage.usage(),
    kill: () => killAll(env, context.clock),
    async close() {
      await harness.close();
      await env.close();
      removeIfEmpty(spillFolder);
    },
  };
}

function callOnce({ command, timeoutSeconds }: RunRequest): Script {
  const args = timeoutSeconds === undefined ? { command } : { command, timeout: timeoutSeconds };
  return { version: 1, turns: [[{ type: "toolCall", name: "bash", args }], []] };
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
