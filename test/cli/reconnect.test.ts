import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { chatFacet } from "../../src/facet/index.js";
import type { ChatState } from "../../src/facet/index.js";
import { readLane, toLaneView } from "../../src/harness/index.js";
import { freshSeed, seededRandom } from "../../src/lane/fixtures/random.js";
import { createJsonlStorage } from "../../src/storage/index.js";
import { follow } from "../../src/wire/client/index.js";
import { ChaosProxy } from "../../src/wire/fixtures/chaos-proxy.js";
import { connectToStream, facetPath } from "../../src/wire/index.js";
import { buildCli, openCliStage } from "./support/built-cli.js";
import type { CliStage } from "./support/built-cli.js";
import { numberedLines, PACES } from "./support/numbered-lines.js";
import { appearanceOfSession, listState, readState } from "./support/sessions.js";

// Consumers in this process follow real runs through a proxy that cuts, stalls and halves what it forwards. Each run is
// killed with -9 at a random moment and resumed; the consumer finds back by itself, and must end with what is stored.

beforeAll(buildCli, 120_000);

const DISTURBANCES = process.env["CI"] === "true" ? 60 : 5;
/** Runs side by side: most of their time is waiting. */
const AT_A_TIME = process.env["CI"] === "true" ? 5 : 1;
const LONGEST_LIFE_MS = 2_500;
/** Above the 5 s between heartbeats, below what a stall costs by default. */
const SILENCE_MS = 7_000;

test(
  `[C2] [C3] after ${DISTURBANCES} cuts, stalls, half frames and hosts that were killed and resumed, consumers hold what is stored`,
  { timeout: 1_200_000 },
  async () => {
    const seed = Number(process.env["SPILLWAY_SEED"] ?? freshSeed());
    const random = seededRandom(seed);
    let disturbances = 0;
    for (let round = 0; disturbances < DISTURBANCES; round += 1) {
      const rounds = Array.from({ length: AT_A_TIME }, (_, index) => disturbRun(`r${seed}n${round}x${index}`, random));
      for (const { seen, stored, count } of await Promise.all(rounds)) {
        expect(seen, `seed ${seed}, round ${round}`).toEqual(stored);
        disturbances += count;
      }
    }
  },
);

interface Disturbed {
  readonly seen: unknown;
  readonly stored: unknown;
  readonly count: number;
}

async function disturbRun(mark: string, random: () => number): Promise<Disturbed> {
  using own = openCliStage();
  const pace = PACES[Math.floor(random() * PACES.length)] ?? PACES[0];
  const running = own.start(["run", "--quiet", "--", numberedLines(mark, pace)]);
  const id = await appearanceOfSession(own);
  const { socket, tokens } = JSON.parse(readState(own, "run", `${id}.json`)) as RunNotes;
  const proxy = new ChaosProxy(socket, random);
  const target = { socketPath: await proxy.listen(), token: tokens.view };
  const following = follow<ChatState>({
    connect: () => connectToStream(target, facetPath(id, "main", "chat")),
    silenceMs: SILENCE_MS,
  });

  // Nobody waits for a viewer that never came.
  await expect.poll(() => following.consumer.value !== undefined, { timeout: 120_000, interval: 10 }).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_LIFE_MS));
  running.kill("SIGKILL");
  await running.ended;
  // The end reaches whoever comes back within 15 s, so from here on nothing more stands in its way.
  proxy.isCalm = true;
  proxy.cutAll();
  const [resumed, end] = await Promise.all([own.start(["resume", id]).ended, following.ended]);
  await proxy.close();

  expect(resumed.code).toBe(1);
  expect(end).toEqual({ reason: "end" });
  expect(listState(own, "run")).toEqual([]);
  return { seen: following.consumer.value, stored: await readChat(own, id), count: proxy.disturbances + 1 };
}

interface RunNotes {
  readonly socket: string;
  readonly tokens: { readonly view: string };
}

async function readChat(own: CliStage, id: string): Promise<ChatState> {
  const reader = await createJsonlStorage({ folder: join(own.home, "state", "sessions") }).read(id);
  try {
    const lane = await readLane(reader, "main");
    const { id: operation = "", status = "running", reason = "" } = lane.record ?? {};
    return { ...chatFacet.initial(toLaneView(lane)), operation: { id: operation, state: status, reason } };
  } finally {
    await reader.close();
  }
}
