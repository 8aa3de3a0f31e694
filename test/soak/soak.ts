import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../support/random.js";
import type { Violation } from "./checks/checks.js";
import type { Programs } from "./processes.js";
import { tryOut } from "./trial.js";
import type { Counts } from "./trial.js";

export interface SoakOptions {
  readonly durationMs: number;
  readonly seed: number;
  readonly programs: Programs;
  /** Sessions side by side: most of their time is waiting. Default 3. */
  readonly atATime?: number | undefined;
  readonly onProgress?: ((counts: Readonly<Counts>, elapsedMs: number) => void) | undefined;
}

export interface SoakReport {
  readonly seed: number;
  readonly elapsedMs: number;
  readonly counts: Readonly<Counts>;
  readonly faults: readonly SoakFault[];
}

/** A session in which a rule was broken, and the folder in which it is kept. */
export interface SoakFault {
  readonly seed: number;
  readonly folder: string;
  readonly violations: readonly Violation[];
}

const PROGRESS_MS = 250;

/**
 * Runs sessions whose processes are killed at random, and checks after each life every rule that files and viewers can show,
 * until the time is over; what runs then is brought to its end. The seed decides what is done, not the moment at which a
 * busy machine does it.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { durationMs, seed, programs, atATime = 3, onProgress } = options;
  const begun = performance.now();
  const elapsed = (): number => performance.now() - begun;
  const isOver = (): boolean => elapsed() >= durationMs;
  const random = createRandom(seed);
  const counts = emptyCounts();
  const faults: SoakFault[] = [];
  const telling = setInterval(() => onProgress?.(counts, elapsed()), PROGRESS_MS);

  async function work(): Promise<void> {
    do {
      const own = Math.floor(random() * 2 ** 32);
      const folder = mkdtempSync(join(tmpdir(), "spillway-soak-"));
      const violations = await tryOut({ folder, seed: own, programs, counts, isOver });
      if (violations.length > 0) faults.push({ seed: own, folder, violations });
      else rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } while (!isOver());
  }

  try {
    await Promise.all(Array.from({ length: atATime }, work));
  } finally {
    clearInterval(telling);
  }
  return { seed, elapsedMs: elapsed(), counts, faults };
}

function emptyCounts(): Counts {
  return {
    sessions: 0,
    restarts: 0,
    harnessKills: 0,
    hostKills: 0,
    viewerKills: 0,
    operations: 0,
    calls: 0,
    messages: 0,
    forks: 0,
    aborts: 0,
    sights: 0,
    checks: 0,
  };
}
