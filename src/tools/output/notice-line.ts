import type { Retain, SpillReport } from "../../exec/index.js";
import type { OutputTruncation } from "../../protocol/index.js";
import { linesOf } from "./text-size.js";
import type { TextSize } from "./text-size.js";

/** What the line that ends a bounded output has to be exact about. */
export interface ShownOutput {
  readonly truncation: OutputTruncation;
  readonly retain: Retain;
  /** Sizes of the text blocks. */
  readonly blocks: readonly TextSize[];
  readonly spill?: Spill | undefined;
}

/** A spill file; without a report where the call ended before its execution did. */
export type Spill = SpillReport | Pick<SpillReport, "path">;

/** One bracketed line: which lines of how many are shown, what is left out, and where it is. Absent where all is well. */
export function describeShown({ truncation, retain, blocks, spill }: ShownOutput): string | undefined {
  if (truncation.truncated) {
    const shown = truncation.partialLineBytes === undefined ? describeLines : describePartialLine;
    const sentence = `${shown(truncation, retain, blocks)}; ${describeLeftOut(truncation, blocks)}`;
    return `[${sentence}. ${describePlace(spill, truncation)}]`;
  }
  if (spill === undefined || !("complete" in spill)) return undefined;
  if (!spill.complete)
    return `[All ${count(truncation.totalLines, "line")} shown. ${describePlace(spill, truncation)}]`;
  return describeRemoved(truncation, blocks, spill);
}

/** Whoever sees less than was printed, or nothing, has to know that there is more and that it is no text. */
function describeRemoved(
  { totalBytes }: OutputTruncation,
  blocks: readonly TextSize[],
  { path, bytes }: SpillReport,
): string | undefined {
  const shownBytes = blocks.reduce((sum, block) => sum + block.bytes, 0);
  if (shownBytes >= totalBytes) return undefined;
  const what = shownBytes === 0 ? "The output has no printable text" : "The text is whole";
  return `[${what}; the ${bytes} bytes of the output, with control characters and overwritten lines, are in ${printPath(path)}]`;
}

function describeLines({ totalLines }: OutputTruncation, retain: Retain, blocks: readonly TextSize[]): string {
  const [head = 0, tail] = blocks.map(linesOf);
  if (tail !== undefined) {
    return `Lines ${range(1, head)} and ${range(totalLines - tail + 1, totalLines)} of ${totalLines} shown`;
  }
  if (head === 0) return `None of ${count(totalLines, "line")} shown`;
  const first = retain === "head" ? 1 : totalLines - head + 1;
  return `${head === 1 ? "Line" : "Lines"} ${range(first, first + head - 1)} of ${totalLines} shown`;
}

function describePartialLine(truncation: OutputTruncation, retain: Retain, blocks: readonly TextSize[]): string {
  const { totalLines, partialLineBytes } = truncation;
  if (blocks.length > 1) {
    return `${describeLines(truncation, retain, blocks)}, one line of ${partialLineBytes} bytes only in part`;
  }
  const [part, line] = retain === "head" ? ["start", 1] : ["end", totalLines];
  return `The ${part} of line ${line} of ${totalLines} shown, which has ${partialLineBytes} bytes`;
}

function describeLeftOut({ totalLines, totalBytes }: OutputTruncation, blocks: readonly TextSize[]): string {
  const lines = totalLines - blocks.reduce((sum, block) => sum + linesOf(block), 0);
  // A replaced byte takes three in the text, so a text can outweigh the output that it was made of.
  const bytes = Math.max(0, totalBytes - blocks.reduce((sum, block) => sum + block.bytes, 0));
  const these = lines > 0 ? `${count(lines, "line")}, ` : "";
  return `${these}${bytes} of ${totalBytes} bytes left out`;
}

function describePlace(spill: Spill | undefined, { totalBytes }: OutputTruncation): string {
  if (spill === undefined) return "What is left out was not kept.";
  const path = printPath(spill.path);
  if (!("complete" in spill)) return `What was saved of the output is in ${path}`;
  if (spill.complete) return `The whole output is in ${path}`;
  return `${path} holds ${spill.bytes} of ${totalBytes} bytes: ${REASONS[spill.reason ?? "interrupted"]}`;
}

function printPath(path: string): string {
  return path.replaceAll(/\p{Cc}/gu, "\uFFFD");
}

const REASONS: { readonly [Reason in NonNullable<SpillReport["reason"]>]: string } = {
  quota: "its quota was reached",
  disk_full: "the disk was full",
  write_failed: "writing it failed",
  interrupted: "saving it was interrupted",
  removed: "the file was removed while the command ran",
};

function range(first: number, last: number): string {
  return first === last ? `${first}` : `${first}-${last}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
