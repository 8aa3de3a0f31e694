import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  connectDaemon,
  connectExecHost,
  hostPlaces,
  readSpillFate,
  startDetached,
  stopMarked,
} from "../../src/exec/index.js";
import type { ExecClient, ExecutionPlan } from "../../src/exec/index.js";
import { openHarness } from "../../src/harness/index.js";
import type { Harness } from "../../src/harness/index.js";
import type { ModelMessage, ModelRequest } from "../../src/models/index.js";
import { createJsonlStorage } from "../../src/storage/index.js";
import { createRandom } from "../support/random.js";
import { Activity } from "./activity.js";
import { fingerprint } from "./fingerprint.js";
import { createPlanModel } from "./model.js";
import { ServedHarness } from "./served.js";
import { createTools } from "./tools.js";
import { makeWorld, writeNote } from "./world.js";
import type { World } from "./world.js";

/** The one argument of the program, as JSON. */
export interface LifeStart {
  readonly folder: string;
  readonly life: number;
  readonly seed: number;
  /** The built CLI, which an exec host is started with. */
  readonly cli: string;
  /** Whether nothing new is begun, and the session is closed once all has settled. */
  readonly isLast: boolean;
}

// One life of a harness's process. It works until it is killed, or, where it is the last, until nothing is left to do.

async function live(world: World, { life, seed, isLast, cli }: LifeStart): Promise<void> {
  const random = createRandom(seed);
  const env = await connectEnv(world, cli);
  const storage = createJsonlStorage({ folder: world.sessions });
  const known = await storage.list();
  const session = known.includes(world.session)
    ? await storage.open(world.session)
    : await storage.create(world.session);
  const harness = await openHarness({
    storage: session,
    env,
    model: createPlanModel((request) => noteRequest(world, request)),
    tools: createTools(world, random),
    maxParallelCalls: 3,
    // The first life states it; later ones are to find it.
    policy: life === 0 ? { tools: { effect: "ask" }, others: "allow" } : undefined,
    retry: { baseDelayMs: 20, maxDelayMs: 200, stallMs: 1_500 },
    durability: { intervalMs: 200 },
    recovery: {
      stopExecution: (plan) => stopLeft(env, plan),
      spillBytes: async (path) => {
        const fate = await readSpillFate(path);
        return fate.state === "present" ? fate.bytes : undefined;
      },
    },
  });
  noteOpening(world, life, harness);
  const served = new ServedHarness(world, life, harness);
  await served.listen();
  process.stdout.write("working\n");
  const activity = new Activity({ world, life, harness, random, isLast, onLane: (lane) => served.add(lane) });
  const recovered = harness.recover();
  // It may wait for approvals, which the activity gives.
  await Promise.all([recovered, activity.run(recovered)]);
  await harness.close();
  await served.close();
  await env.close();
  writeNote(world, { type: "closed", life });
}

function noteOpening(world: World, life: number, harness: Harness): void {
  const views = Object.fromEntries(harness.lanes().map((lane) => [lane.id, fingerprint(lane.view())]));
  writeNote(world, { type: "opened", life, views, policy: fingerprint(harness.policy) });
}

async function connectEnv({ state, folder, session }: World, cli: string): Promise<ExecClient> {
  const { log } = hostPlaces(state);
  const place = ["--root", state, "--socket", join(folder, "host.sock"), "--idle-exit", "1m"];
  const words = [process.execPath, cli, "exec-host", ...place] as const;
  const startHost = (): ReturnType<typeof startDetached> =>
    startDetached({ words: [words[0], ...words.slice(1)], environment: process.env, logPath: log });
  for (let tries = 0; ; tries += 1) {
    try {
      return await connectExecHost({
        connect: connectDaemon({ root: state, start: startHost }),
        owner: session,
        cwd: folder,
        environment: process.env,
      });
    } catch (error) {
      // A host that is killed as it starts is no fault of anyone's.
      if (tries === 5) throw error;
      await sleep(200);
    }
  }
}

async function stopLeft(env: ExecClient, plan: ExecutionPlan): ReturnType<typeof stopMarked> {
  const killed = await env.kill(plan.executionId);
  return killed.ok ? killed.value.survivors : stopMarked(plan, {});
}

const noted = new Set<string>();

/** Holds a request to what providers take: after each answer one result for each of its calls, in their order. */
function noteRequest(world: World, { messages }: ModelRequest): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const calls = message.content.flatMap((part) => (part.type === "toolCall" ? [part.toolCallId] : []));
    const next = messages.slice(index + 1, index + 1 + calls.length);
    if (calls.join() !== next.map(resultId).join() || messages[index + 1 + calls.length]?.role === "tool")
      writeNote(world, {
        type: "violation",
        rule: "H6",
        place: `request with calls ${calls.join()}: results do not pair`,
      });
  }
  for (const message of messages) {
    if (message.role !== "tool" || noted.has(message.toolCallId)) continue;
    noted.add(message.toolCallId);
    writeNote(world, { type: "asked", call: message.toolCallId, content: fingerprint(message.content) });
  }
}

function resultId(message: ModelMessage): string {
  return message.role === "tool" ? message.toolCallId : message.role;
}

const start = JSON.parse(process.argv[2] ?? "{}") as LifeStart;
await live(makeWorld(start.folder), start);
