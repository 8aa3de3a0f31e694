import type { ShellOutputTruncation } from "./view.js";

/** One sentence, without brackets, about how much output there was and what bounds it. */
export function describe({ truncated, truncatedBy, totalLines, totalBytes, ...caps }: ShellOutputTruncation): string {
  const total = `${count(totalLines, "line")} and ${count(totalBytes, "byte")} of output`;
  if (!truncated) return `${total}, all shown`;
  const cap = truncatedBy === "lines" ? count(caps.maxLines, "line") : count(caps.maxBytes, "byte");
  const line =
    caps.partialLineBytes === undefined ? "" : `; a line of ${count(caps.partialLineBytes, "byte")} is shown in part`;
  return `${total}, cut to ${cap}${line}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
