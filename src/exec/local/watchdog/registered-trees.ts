import type { Tree } from "../processes/tree.js";

/** Such as `["exec_k3…",4711,883201,883955]`: what follows the marker is known once the shell runs, the last once it ended. */
type TreeRecord = readonly [marker: string, pid?: number, started?: number, reaped?: number];

/** All live trees in one line, which begins with `[` and ends with `]`. */
export function encodeTrees(trees: readonly Tree[]): string {
  return JSON.stringify(
    trees.map(({ marker, shell }): TreeRecord => {
      if (shell === undefined) return [marker];
      const { pid, started, reaped } = shell;
      return reaped === undefined ? [marker, pid, started] : [marker, pid, started, reaped];
    }),
  );
}

/**
 * The trees of such a line, as they are after this process's parent has died: whoever collected the exits of shells that
 * were alive then did so at `now` at the earliest. What is no record is left out.
 */
export function decodeTrees(line: string, now: number): readonly Tree[] {
  return parseList(line).flatMap((record) => {
    if (!Array.isArray(record)) return [];
    const [marker, pid, started, reaped = now] = record as readonly unknown[];
    if (typeof marker !== "string" || marker === "") return [];
    const mark = { executionId: marker, marker };
    // 0 and 1 stand for this process's own group and for all processes there are.
    if (!isCount(pid) || pid < 2 || !isCount(started) || !isCount(reaped)) return [mark];
    return [{ ...mark, shell: { pid, started, reaped } }];
  });
}

function parseList(line: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(line);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
