import { markCommand } from "./world.js";
import type { World } from "./world.js";

/** A command whose whole output is known beforehand. Stands in a comment at the end of its own text. */
export interface CommandPlan {
  readonly tag: string;
  /** Numbered lines come in so many blocks. */
  readonly blocks: number;
  readonly linesEach: number;
  readonly pauseMs: number;
  readonly exitCode: number;
  /** Whether it leaves a process behind that holds its pipes. */
  readonly leaves: boolean;
}

const MARK = "# soak ";

export function planCommand(random: () => number, tag: string): CommandPlan {
  const pick = (count: number): number => Math.floor(random() * count);
  const base = { tag, exitCode: pick(4) === 0 ? 7 : 0, leaves: pick(6) === 0 };
  switch (pick(4)) {
    case 0:
      return { ...base, blocks: 1, linesEach: 1 + pick(40), pauseMs: 100 + pick(600) };
    case 1:
      // More than the window holds.
      return { ...base, blocks: 1 + pick(3), linesEach: 12_000, pauseMs: 50 + pick(100) };
    default:
      return { ...base, blocks: 2 + pick(12), linesEach: 10 + pick(90), pauseMs: 20 + pick(80) };
  }
}

export function commandText(world: World, plan: CommandPlan): string {
  const { tag, blocks, linesEach, pauseMs, exitCode, leaves } = plan;
  return [
    markCommand(world, tag),
    ...(leaves ? ["{ sleep 2 & }"] : []),
    `echo '${tag} \u{1F98A}'`,
    `i=1; while [ $i -le ${blocks * linesEach} ]; do seq $i $((i + ${linesEach - 1})); i=$((i + ${linesEach})); sleep ${pauseMs / 1_000}; done`,
    `exit ${exitCode} ${MARK}${JSON.stringify(plan)}`,
  ].join("; ");
}

export function readCommand(text: string): CommandPlan | undefined {
  const at = text.lastIndexOf(MARK);
  return at < 0 ? undefined : (JSON.parse(text.slice(at + MARK.length)) as CommandPlan);
}

/** All that the command prints. */
export function outputOf({ tag, blocks, linesEach }: CommandPlan): string {
  const numbers = Array.from({ length: blocks * linesEach }, (_, index) => `${index + 1}\n`);
  return `${tag} \u{1F98A}\n${numbers.join("")}`;
}
