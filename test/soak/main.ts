import { parseArgs } from "node:util";
import { describeProgress, describeReport } from "./report.js";
import { soak } from "./soak.js";
import type { Programs } from "./processes.js";

const USAGE = `npm run soak -- [--minutes M] [--seed N] [--at-a-time K]

Sessions with several lanes work, and their processes are killed with -9 at random moments: harness, exec host, viewers.
After each life every rule of spec/ is checked that files and viewers can show. What broke one is kept.

  --minutes M    for so long; default 2, fractions allowed
  --seed N       as a run before; what is done is the same, when it is done depends on the machine
  --at-a-time K  sessions side by side; default 3

Exit code: 0 when no rule was broken, 1 when one was, 2 for wrong use.
`;

const MS_PER_MINUTE = 60_000;

interface Wish {
  readonly durationMs: number;
  readonly seed: number;
  readonly atATime: number;
}

/** Runs the trial as `argv` says, and gives the exit code. */
export async function main(argv: readonly string[], programs: Programs): Promise<number> {
  const wish = readWish(argv);
  if (typeof wish === "string") {
    process.stderr.write(wish);
    return wish === USAGE ? 0 : 2;
  }
  const { durationMs } = wish;
  process.stderr.write(`soak: seed ${wish.seed}\n`);
  const isTerminal = process.stderr.isTTY;
  const report = await soak({
    ...wish,
    programs,
    onProgress: (counts, elapsedMs) => {
      if (isTerminal) process.stderr.write(`\r${describeProgress(counts, elapsedMs, durationMs)}\u001B[K`);
    },
  });
  if (isTerminal) process.stderr.write("\r\u001B[K");
  process.stdout.write(`${describeReport(report)}\n`);
  return report.faults.length === 0 ? 0 : 1;
}

/** What is wanted, or what to say where that is not clear. */
function readWish(argv: readonly string[]): Wish | string {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        help: { type: "boolean", short: "h" },
        minutes: { type: "string" },
        seed: { type: "string" },
        "at-a-time": { type: "string" },
      },
    });
    if (values.help === true) return USAGE;
    const minutes = Number(values.minutes ?? 2);
    const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
    const atATime = Number(values["at-a-time"] ?? 3);
    if (!(minutes > 0 && minutes <= 1_440)) return complain("--minutes is more than 0 and at most 1,440");
    if (!Number.isSafeInteger(seed) || seed < 0) return complain("--seed is a whole number that a run has named");
    if (!Number.isInteger(atATime) || atATime < 1 || atATime > 64) return complain("--at-a-time is 1 to 64");
    return { durationMs: minutes * MS_PER_MINUTE, seed, atATime };
  } catch (error) {
    return complain(error instanceof Error ? error.message : String(error));
  }
}

function complain(problem: string): string {
  return `soak: ${problem}. See npm run soak -- --help\n`;
}
