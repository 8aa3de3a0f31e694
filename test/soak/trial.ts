import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "../support/random.js";
import { CHECKS, findViolations } from "./checks/checks.js";
import type { Violation } from "./checks/checks.js";
import { gather, readStoredViews } from "./checks/evidence.js";
import { killExecHost, startLife, startViewer } from "./processes.js";
import type { Programs, Started } from "./processes.js";
import { makeWorld, readNotes, readSights } from "./world.js";
import type { World } from "./world.js";

/** How often things happened, over all sessions. */
export interface Counts {
  sessions: number;
  restarts: number;
  harnessKills: number;
  hostKills: number;
  viewerKills: number;
  operations: number;
  calls: number;
  messages: number;
  forks: number;
  aborts: number;
  /** Values of viewers that were held against the host's. */
  sights: number;
  /** Checks that were made: each is one claim after one life. */
  checks: number;
}

export interface TrialOptions {
  readonly folder: string;
  readonly seed: number;
  readonly programs: Programs;
  readonly counts: Counts;
  /** Whether the next life is to be the last. */
  readonly isOver: () => boolean;
}

const MAX_LIVES = 8;
const LONGEST_LIFE_MS = 2_500;
/** Where a life is killed so early that the session may still be being opened. */
const OPENING_MS = 700;
/** What is far beyond anything that a life that ends by itself has to wait for. */
const HANG_MS = 120_000;
const LANES = ["main", "side", "calls"];

/** Lives of one session, one after the other, each but the last killed at a random moment. Gives what broke a rule. */
export async function tryOut(options: TrialOptions): Promise<readonly Violation[]> {
  const world = makeWorld(options.folder);
  const trial = new Trial(world, options);
  try {
    return await trial.run();
  } finally {
    await trial.clear();
  }
}

class Trial {
  readonly #world: World;
  readonly #options: TrialOptions;
  readonly #random: () => number;
  /** One that is never killed, so that it sees every restart. */
  readonly #steady: Started;
  #mortal: Started;
  #hostWasKilled = false;

  constructor(world: World, options: TrialOptions) {
    this.#world = world;
    this.#options = options;
    this.#random = createRandom(options.seed);
    this.#steady = this.#startViewer(LANES);
    this.#mortal = this.#startViewer(["main"]);
  }

  async run(): Promise<readonly Violation[]> {
    const { counts, isOver } = this.#options;
    counts.sessions += 1;
    const lives = 1 + Math.floor(this.#random() * MAX_LIVES);
    for (let life = 0; ; life += 1) {
      const isLast = life >= lives || (life > 0 && isOver());
      const violations = await this.#live(life, isLast);
      if (isLast || violations.length > 0) return violations;
    }
  }

  async clear(): Promise<void> {
    await Promise.all([this.#steady.kill(), this.#mortal.kill()]);
    killExecHost(this.#world, "SIGTERM");
    this.#count();
  }

  async #live(life: number, isLast: boolean): Promise<readonly Violation[]> {
    const { counts, programs, folder } = this.#options;
    const before = await readStoredViews(this.#world);
    const seed = Math.floor(this.#random() * 2 ** 32);
    const started = startLife(programs, { folder, life, seed, cli: programs.cli, isLast });
    const troubles = isLast ? await this.#awaitEnd(started) : await this.#disturb(started);
    if (life > 0) counts.restarts += 1;
    if (isLast && troubles.length === 0) await this.#awaitViewer();
    const evidence = await gather(this.#world, { life, isLast, hostWasKilled: this.#hostWasKilled, before });
    if (evidence === undefined) return troubles;
    counts.checks += CHECKS.length;
    return [...troubles, ...findViolations(evidence)].map((violation) => ({
      ...violation,
      place: `life ${life}: ${violation.place}`,
    }));
  }

  /** Kills the life, and others beside it, at random moments. */
  async #disturb(started: Started): Promise<readonly Violation[]> {
    const random = this.#random;
    const { counts } = this.#options;
    const dies = this.#awaitDeath(started);
    const others = random();
    if (others < 0.2) {
      await sleep(random() * LONGEST_LIFE_MS);
      if (killExecHost(this.#world, "SIGKILL")) {
        counts.hostKills += 1;
        this.#hostWasKilled = true;
      }
    } else if (others < 0.6) {
      await sleep(random() * LONGEST_LIFE_MS);
      await this.#mortal.kill();
      counts.viewerKills += 1;
      this.#mortal = this.#startViewer([LANES[Math.floor(random() * LANES.length)] ?? "main"]);
    }
    await dies;
    const { code, words } = await started.kill();
    counts.harnessKills += 1;
    // One that was killed has no code.
    return code === null ? [] : [trouble("H34", `the process ended by itself with ${code}: ${words}`)];
  }

  /** Early, where the session may still be being opened, or after so much work. */
  async #awaitDeath({ working }: Started): Promise<void> {
    const random = this.#random;
    if (random() < 0.2) {
      await sleep(random() * OPENING_MS);
      return;
    }
    const lives = random() * LONGEST_LIFE_MS;
    await working;
    await sleep(lives);
  }

  async #awaitEnd(started: Started): Promise<readonly Violation[]> {
    const ended = await within(started.ended, HANG_MS);
    if (ended === undefined) {
      await started.kill();
      return [trouble("H34", `after ${HANG_MS / 1_000} s something still had not settled`)];
    }
    return ended.code === 0 ? [] : [trouble("H34", `the process ended with ${ended.code}: ${ended.words}`)];
  }

  /** Until the viewer that saw all lives has the end of each lane that there is. */
  async #awaitViewer(): Promise<void> {
    const worked = new Set(
      readSights(this.#world, "host").flatMap(({ last, lane, facet }) => (last === true ? [`${lane} ${facet}`] : [])),
    );
    const expected = [...worked].filter((place) => LANES.some((lane) => place.startsWith(`${lane} `))).length;
    const deadline = performance.now() + HANG_MS / 4;
    const ends = (): number => readSights(this.#world, "viewers").filter(({ last }) => last === true).length;
    while (ends() < expected && performance.now() < deadline) await sleep(50);
  }

  #startViewer(lanes: readonly string[]): Started {
    return startViewer(this.#options.programs, { folder: this.#options.folder, lanes });
  }

  #count(): void {
    const { counts } = this.#options;
    const notes = readNotes(this.#world);
    const times = (type: string): number => notes.filter((note) => note.type === type).length;
    counts.operations += times("prompted");
    counts.calls += times("called") + new Set(notes.flatMap((note) => (note.type === "asked" ? [note.call] : []))).size;
    counts.messages += times("queued");
    counts.forks += times("forked");
    counts.aborts += times("aborting");
    counts.sights += readSights(this.#world, "viewers").length;
  }
}

function trouble(rule: string, place: string): Violation {
  return { rule, claim: "a life goes on until it is killed, or ends well", place };
}

async function within<T>(promise: Promise<T>, limitMs: number): Promise<T | undefined> {
  const controller = new AbortController();
  const limit = sleep(limitMs, undefined, { signal: controller.signal }).catch(() => undefined);
  try {
    return await Promise.race([promise, limit]);
  } finally {
    controller.abort();
  }
}
