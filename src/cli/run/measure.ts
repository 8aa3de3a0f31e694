import { countLines } from "../output/new-lines.js";
import type { RunReport, SnapshotCosts } from "../report/run-report.js";
import type { RunRequest } from "./request.js";
import type { RunSession } from "./session.js";
import type { RunWatch } from "./watch.js";

/** The report of a run that has settled and whose session is still open. */
export async function measureRun(session: RunSession, watch: RunWatch, request: RunRequest): Promise<RunReport> {
  const { ending } = session.env;
  const result = ending === undefined ? undefined : ending.ok ? ending.value : ending.error.result;
  const { text, tail = "" } = watch.window();
  const { tools } = session.harness.counters;
  const { mainBytes, sidecarPeakBytes, sidecarBytes } = await session.usage();
  return {
    type: "report",
    command: request.command,
    exitCode: result?.exitCode ?? null,
    signal: result?.signal ?? null,
    durationMs: Math.round(result?.durationMs ?? 0),
    produced: { bytes: result?.truncation.totalBytes ?? 0, lines: result?.truncation.totalLines ?? 0 },
    window: {
      bytes: Buffer.byteLength(text) + Buffer.byteLength(tail),
      lines: countLines(text) + countLines(tail),
      maxBytes: request.limits.maxBytes,
      maxLines: request.limits.maxLines,
      truncatedBy: result?.truncation.truncatedBy ?? null,
    },
    flushes: { live: tools.liveBatches, durable: tools.durableElements, recoveryBases: tools.recoveryBases },
    wire: {
      subscribers: 1,
      bytesEach: watch.viewer.costs.bytes,
      snapshotBytes: watch.viewer.costs.snapshotBytes,
      newTextBytes: watch.viewer.costs.newTextBytes,
    },
    log: { mainBytes, sidecarPeakBytes, sidecarBytes },
    detailsWrites: session.detailsWrites,
    spill: {
      path: result?.spill?.path ?? null,
      bytes: result?.spill?.bytes ?? 0,
      complete: result?.spill?.complete ?? false,
      reason: result?.spill?.reason ?? null,
    },
  };
}

export function measureCosts({ harness: { counters } }: RunSession, { snapshots, viewer }: RunWatch): SnapshotCosts {
  snapshots.note(viewer.call?.output);
  return { durableBytes: counters.tools.durableBytes, durableSnapshotBytes: snapshots.bytes };
}
