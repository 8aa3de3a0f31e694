import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A command that prints one portion, waits until the test opens the next gate, and so on. */
export interface GatedBuild {
  readonly command: string;
  readonly portions: readonly string[];
  /** Lets the command print the portion of this index. */
  open(index: number): Promise<void>;
}

export type LineKind = "varied" | "repetitive";

/** Lays out a build of `count` portions of exactly `bytes` bytes each below `folder`. */
export async function layGatedBuild(
  folder: string,
  { kind, count, bytes }: { kind: LineKind; count: number; bytes: number },
): Promise<GatedBuild> {
  await mkdir(join(folder, "gates"), { recursive: true });
  const portions = Array.from({ length: count }, (_, index) => portion(kind, index, bytes));
  await Promise.all(portions.map((text, index) => writeFile(join(folder, `portion-${index}`), text)));
  const command = [
    `for i in $(seq 0 ${count - 1}); do`,
    `while [ ! -e gates/$i ]; do sleep 0.02; done; cat portion-$i`,
    `done`,
  ].join(" ");
  return { command, portions, open: (index) => writeFile(join(folder, "gates", String(index)), "") };
}

function portion(kind: LineKind, index: number, bytes: number): string {
  let text = "";
  for (let line = 0; text.length < bytes; line += 1) text += lineOf(kind, index * 1_000 + line);
  return `${text.slice(0, bytes - 1)}\n`;
}

function lineOf(kind: LineKind, number: number): string {
  if (kind === "repetitive") return "  CC      obj/module.o  -O2 -Wall -Wextra -std=c17\n";
  const hash = ((number * 2_654_435_761) % 4_294_967_296).toString(36);
  return `cc -O2 -c src/${hash}/unit_${number}.c -o obj/${hash}.o  # "${number}"\tok\n`;
}
