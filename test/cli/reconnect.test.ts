import { beforeAll, expect, test } from "vitest";
import type { ChatState } from "../../src/facet/index.js";
import { seededRandom, seedsOf } from "../../src/lane/fixtures/random.js";
import { follow } from "../../src/wire/client/index.js";
import type { Timer } from "../../src/wire/client/index.js";
import { ChaosProxy } from "../../src/wire/fixtures/chaos-proxy.js";
import { connectToStream, facetPath } from "../../src/wire/index.js";
import { buildCli, openCliStage } from "./support/built-cli.js";
import { numberedLines, PACES } from "./support/numbered-lines.js";
import { appearanceOfSession, listState, readState, readStoredChat } from "./support/sessions.js";

// Consumers in this process follow real runs through a proxy that cuts, stalls and halves what it forwards. Each run is
// killed with -9 at a random moment and resumed; the consumers find back by themselves, and must end with what is stored.

beforeAll(buildCli, 120_000);

const isCi = process.env["CI"] === "true";
/** Of all kinds together; of hosts that are killed and resumed; and of each kind. */
const WANTED = isCi ? { disturbances: 300, kills: 45, ofEach: 20 } : { disturbances: 10, kills: 1, ofEach: 0 };
/** Runs side by side: most of their time is waiting. */
const AT_A_TIME = isCi ? 5 : 1;
const VIEWERS = 3;
const LONGEST_LIFE_MS = 2_500;

/** Pauses pass twenty times as fast, so that a viewer comes back often enough to be disturbed again. */
const quickTimer: Timer = (delayMs, callback) => {
  const handle = setTimeout(callback, delayMs / 20);
  return { cancel: () => clearTimeout(handle) };
};
/** One second by that timer: hosts print more often, and who is cut in vain loses nothing. */
const SILENCE_MS = 20_000;

test.each(seedsOf(1))(
  `[C2] [C3] after ${WANTED.disturbances} cuts, stalls, half frames and hosts that were killed and resumed, consumers hold what is stored (seed %i)`,
  { timeout: 1_200_000 },
  async (seed) => {
    const totals = { kills: 0, cut: 0, halfClosed: 0, stalled: 0 };
    const disturbances = (): number => Object.values(totals).reduce((sum, count) => sum + count, 0);
    while (disturbances() < WANTED.disturbances || totals.kills < WANTED.kills) {
      const first = totals.kills;
      const numbers = Array.from({ length: AT_A_TIME }, (_, index) => first + index);
      const runs = numbers.map((number) => disturbRun(`r${seed}n${number}`, seededRandom(seed + number)));
      for (const [index, { seen, stored, counts }] of (await Promise.all(runs)).entries()) {
        expect(seen, `seed ${seed}, run ${first + index}`).toEqual(seen.map(() => stored));
        totals.kills += 1;
        totals.cut += counts.cut;
        totals.halfClosed += counts.halfClosed;
        totals.stalled += counts.stalled;
      }
    }
    console.log(`disturbances: ${JSON.stringify(totals)}`);
    expect(Math.min(...Object.values(totals)), `all: ${JSON.stringify(totals)}`).toBeGreaterThanOrEqual(WANTED.ofEach);
  },
);

interface Disturbed {
  /** What each viewer ended with. */
  readonly seen: readonly unknown[];
  readonly stored: unknown;
  readonly counts: ChaosProxy["counts"];
}

async function disturbRun(mark: string, random: () => number): Promise<Disturbed> {
  using own = openCliStage();
  const pace = PACES[Math.floor(random() * PACES.length)] ?? PACES[0];
  const running = own.start(["run", "--quiet", "--", numberedLines(mark, pace)]);
  const id = await appearanceOfSession(own);
  const { socket, tokens } = JSON.parse(readState(own, "run", `${id}.json`)) as RunNotes;
  // Where little is forwarded few bases arrive whole, where much is few frames are cut: each run has a measure of its own.
  const proxy = new ChaosProxy(socket, random, 5_000 + random() * 150_000);
  proxy.isCalm = true;
  const target = { socketPath: await proxy.listen(), token: tokens.view };
  const viewers = Array.from({ length: VIEWERS }, () =>
    follow<ChatState>({
      connect: () => connectToStream(target, facetPath(id, "main", "chat")),
      silenceMs: SILENCE_MS,
      timer: quickTimer,
    }),
  );
  // Nobody waits for a viewer that never came, so there is peace until all have.
  const haveCome = (): boolean => viewers.every(({ consumer }) => consumer.value !== undefined);
  await expect.poll(haveCome, { timeout: 120_000, interval: 10 }).toBe(true);
  proxy.isCalm = false;
  proxy.cutAll();
  await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_LIFE_MS));
  running.kill("SIGKILL");
  await running.ended;
  // The end reaches whoever comes back within 15 s, so from here on nothing more stands in its way.
  proxy.isCalm = true;
  proxy.cutAll();
  const [resumed, ...ends] = await Promise.all([own.start(["resume", id]).ended, ...viewers.map(({ ended }) => ended)]);
  await proxy.close();

  expect(resumed.code).toBe(1);
  expect(ends).toEqual(viewers.map(() => ({ reason: "end" })));
  expect(listState(own, "run")).toEqual([]);
  return {
    seen: viewers.map(({ consumer }) => consumer.value),
    stored: await readStoredChat(own),
    counts: proxy.counts,
  };
}

interface RunNotes {
  readonly socket: string;
  readonly tokens: { readonly view: string };
}
