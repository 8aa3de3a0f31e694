import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CliStage } from "./built-cli.js";

/** Paces at which a command prints its lines: bursts of so many, then a pause of so many seconds. */
export const PACES = [
  { lines: 5, pause: 0.05 },
  { lines: 400, pause: 0.05 },
  { lines: 20_000, pause: 0.2 },
] as const satisfies readonly Pace[];

interface Pace {
  readonly lines: number;
  /** Seconds. */
  readonly pause: number;
}

/**
 * Shell text that notes that it was run, then prints `line N` with varied text, for ever. Its file of runs and its mark let a
 * test see how often it was run and whether it lives.
 */
export function numberedLines(mark: string, { lines, pause }: Pace): string {
  const burst = `awk -v from=$n 'BEGIN { for (i = from; i < from + ${lines}; i += 1) print "line", i, i * i % 9973 }'`;
  return `: ${mark}; echo run >> runs-${mark}; n=1; while :; do ${burst}; n=$((n + ${lines})); sleep ${pause}; done`;
}

export function countRuns({ home }: CliStage, mark: string): number {
  try {
    return readFileSync(join(home, `runs-${mark}`), "utf8").split("\n").length - 1;
  } catch {
    return 0;
  }
}

/** The first thing that is wrong with a window of such lines; `undefined` where each line follows the one before it. */
export function findGap(text: string): string | undefined {
  const lines = text.split("\n").slice(0, -1);
  const first = Number(/^line (\d+) /.exec(lines[0] ?? "")?.[1] ?? 1);
  for (const [index, line] of lines.entries()) {
    const number = first + index;
    if (line !== `line ${number} ${(number * number) % 9973}`) return `"${line}" where line ${number} was expected`;
  }
  return undefined;
}

/** Shell text that prints `count` such lines in bursts and ends with `code`. */
export function numberedBuild(mark: string, { lines, pause }: Pace, count: number, code: number): string {
  return numberedLines(mark, { lines, pause }).replace("while :;", `while [ $n -le ${count} ];`) + `; exit ${code}`;
}

/** All that {@link numberedBuild} prints. */
export function numberedOutput({ lines }: Pace, count: number): string {
  const all = Math.ceil(count / lines) * lines;
  return Array.from({ length: all }, (_, index) => `line ${index + 1} ${((index + 1) * (index + 1)) % 9973}\n`).join(
    "",
  );
}
