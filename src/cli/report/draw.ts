import wrapAnsi from "wrap-ansi";
import type { Colours } from "../terminal/colours.js";
import { drawBar } from "./bar.js";
import type { RunReport, SnapshotCosts } from "./run-report.js";
import { formatAmount, formatBytes, formatCount, formatDuration } from "./units.js";

export interface DrawOptions {
  readonly columns: number;
  readonly colours: Colours;
}

/** One comparison: what whole snapshots would have been, and what this run was. */
interface Comparison {
  readonly title: string;
  readonly snapshots: number;
  readonly run: number;
  readonly format: (value: number) => string;
}

const MAX_COLUMNS = 100;
const LABELS = { snapshots: "snapshots", run: "this run" } as const;
const LABEL_COLUMNS = 12;
const VALUE_COLUMNS = 10;

/** The report for a person: a pair of bars for each cost, then what became of the output. */
export function drawReport(report: RunReport, costs: SnapshotCosts, options: DrawOptions): string {
  const columns = Math.min(options.columns, MAX_COLUMNS);
  const rows = [
    ...drawTitle(report, columns, options.colours),
    ...comparisons(report, costs).flatMap((comparison) => drawComparison(comparison, columns, options.colours)),
    "",
    ...facts(report).flatMap((fact) => wrapFact(fact, columns)),
  ];
  return `${rows.join("\n")}\n`;
}

function drawTitle(report: RunReport, columns: number, colours: Colours): string[] {
  const title = "What this run cost, and what whole snapshots at the same flushes would have";
  const [first = "", ...rest] = wrapAnsi(title, columns).split("\n");
  return [colours.bold(first), ...rest.map((line) => colours.bold(line)), colours.dim(describeRun(report)), ""];
}

function describeRun({ durationMs, flushes, wire }: RunReport): string {
  return [
    formatDuration(durationMs),
    formatAmount(flushes.live, "flush", "flushes"),
    formatAmount(wire.subscribers, "viewer"),
  ].join(" · ");
}

function comparisons(report: RunReport, costs: SnapshotCosts): Comparison[] {
  const { wire, flushes, log, detailsWrites } = report;
  return [
    { title: "sent to each viewer", snapshots: wire.snapshotBytes, run: wire.bytesEach, format: formatBytes },
    {
      title: "written to the log meanwhile",
      snapshots: costs.durableSnapshotBytes,
      run: costs.durableBytes,
      format: formatBytes,
    },
    {
      title: "left in the log for good",
      snapshots: log.mainBytes + costs.durableSnapshotBytes,
      run: log.mainBytes + log.sidecarBytes,
      format: formatBytes,
    },
    {
      title: "details written",
      snapshots: flushes.live,
      run: detailsWrites,
      format: (count) => `${formatCount(count)} ×`,
    },
  ];
}

function drawComparison({ title, snapshots, run, format }: Comparison, columns: number, colours: Colours): string[] {
  const most = Math.max(snapshots, run);
  const barColumns = Math.max(4, columns - LABEL_COLUMNS - VALUE_COLUMNS - 2);
  const drawRow = (label: string, value: number, paint: (text: string) => string): string =>
    `  ${label.padEnd(LABEL_COLUMNS - 2)}${format(value).padStart(VALUE_COLUMNS)}  ${paint(drawBar(value, most, barColumns))}`;
  return [
    `${title}${colours.bold(describeRatio(snapshots, run))}`,
    drawRow(LABELS.snapshots, snapshots, colours.yellow),
    drawRow(LABELS.run, run, colours.green),
  ];
}

function describeRatio(snapshots: number, run: number): string {
  if (snapshots === 0 || run === 0 || snapshots === run) return "";
  const ratio = Math.max(snapshots, run) / Math.min(snapshots, run);
  if (ratio < 1.05) return ": about the same";
  return `: ${ratio < 10 ? ratio.toFixed(1) : formatCount(Math.round(ratio))}× ${run < snapshots ? "less" : "more"}`;
}

function facts({ produced, window, wire, log, spill, flushes }: RunReport): string[] {
  const kept = `${formatBytes(window.bytes)} in ${formatAmount(window.lines, "line")}`;
  const whole = window.bytes < produced.bytes ? "all text of it" : "all of it";
  const cut = window.truncatedBy === null ? whole : `cut by its cap of ${capOf(window)}`;
  return [
    `produced ${formatBytes(produced.bytes)} in ${formatAmount(produced.lines, "line")}`,
    `window ${kept}, ${cut}`,
    `wire ${formatBytes(wire.newTextBytes)} of the ${formatBytes(wire.bytesEach)} sent were text, as JSON`,
    `log sidecar at most ${formatBytes(log.sidecarPeakBytes)} in ${formatAmount(flushes.durable, "batch", "batches")}, ${formatBytes(log.sidecarBytes)} now`,
    `spill ${describeSpill(spill)}`,
  ];
}

function capOf(window: RunReport["window"]): string {
  return window.truncatedBy === "lines" ? formatAmount(window.maxLines, "line") : formatBytes(window.maxBytes);
}

function describeSpill({ path, bytes, complete, reason }: RunReport["spill"]): string {
  if (path === null) return "none needed";
  const extent = complete ? "complete" : `not complete (${reason ?? "unknown"})`;
  return `${formatBytes(bytes)}, ${extent}: ${path}`;
}

/** The first word stands as a label; what does not fit goes on under the text. */
function wrapFact(fact: string, columns: number): string[] {
  const space = fact.indexOf(" ");
  const lines = wrapAnsi(fact.slice(space + 1), Math.max(10, columns - LABEL_COLUMNS), { hard: false }).split("\n");
  return lines.map((line, index) => `${(index === 0 ? fact.slice(0, space) : "").padEnd(LABEL_COLUMNS)}${line}`);
}
