import type { ChatToolOutput } from "../../src/facet/index.js";
import { formatAmount, formatBytes } from "../format/units.js";

/** How much there was in all, and whether what is shown is all of it. */
export function describeTotals({ truncation, content }: ChatToolOutput): string {
  const { truncated, truncatedBy, totalLines, totalBytes, maxLines, maxBytes } = truncation;
  if (truncated) {
    // Which part it is depends on what was to be kept; the notice says that.
    const cap = truncatedBy === "lines" ? formatAmount(maxLines, "line") : formatBytes(maxBytes);
    return `${formatAmount(totalLines, "line")} · ${formatBytes(totalBytes)} · at most ${cap} shown`;
  }
  // Below the cap the totals are stated at the end; until then the text is all there is.
  if (totalBytes > 0) return `${formatAmount(totalLines, "line")} · ${formatBytes(totalBytes)}`;
  const text = content.find((block) => block.type === "text")?.text ?? "";
  return text === "" ? "" : formatAmount(countLines(text), "line");
}

function countLines(text: string): number {
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
