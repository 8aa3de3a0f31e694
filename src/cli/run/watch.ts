import type { ChatToolRow } from "../../facet/index.js";
import type { CliContext } from "../context.js";
import { chooseTextDisplay } from "../output/choose-display.js";
import type { RunDisplay } from "../output/display.js";
import { openCallsDisplay } from "../output/calls/calls-display.js";
import { lastShownCalls, shownCalls } from "../output/calls/shown-calls.js";
import { JsonLines } from "../output/json-lines.js";
import { openWindow } from "../output/window.js";
import type { OutputWindow } from "../output/window.js";
import type { Retain } from "../../exec/index.js";
import type { Shows } from "../options/shows.js";
import type { OperationId } from "../../protocol/index.js";
import type { TextOutput } from "../terminal/text-output.js";
import { DurableSnapshots } from "./durable-snapshots.js";
import type { RunSession } from "./session.js";
import { Viewer } from "./viewer.js";

/** A run as it is seen from the far end of the wire: what is shown and measured there. */
export interface RunWatch {
  readonly viewer: Viewer;
  readonly display: RunDisplay;
  /** Set where the run is told as JSON. */
  readonly lines: JsonLines | undefined;
  readonly snapshots: DurableSnapshots;
  /** Subscribes; what is there already is shown before this returns. */
  join(): void;
  /** The window as the viewer has it now. */
  window(): OutputWindow;
}

export interface WatchedRun {
  readonly session: RunSession;
  readonly operation: { readonly id: OperationId };
  /** Whether there is one call, or there may be several side by side. */
  readonly calls: "one" | "several";
  readonly shows: Shows;
  readonly retain: Retain;
  readonly output: TextOutput;
}

/** One viewer of the session's chat, and the display of what it folds. */
export function watchRun(watched: WatchedRun, context: CliContext): RunWatch {
  const { session, operation, shows, output } = watched;
  const snapshots = new DurableSnapshots(session.harness.counters);
  const lines = shows === "json" ? new JsonLines(output, () => viewer.resync()) : undefined;
  const display = lines ?? openTextDisplay(watched, () => viewer.calls, context);
  const viewer = new Viewer(operation.id, {
    before: () => snapshots.note(viewer.call?.output),
    after(json) {
      if (lines !== undefined) return lines.show(window(), json);
      display.show(window(), json);
      return true;
    },
  });
  const window = (): OutputWindow => {
    const { call } = viewer;
    return openWindow(call?.output, call !== undefined && call.state !== "running");
  };
  const join = (): void => {
    lines?.open(session.id, operation.id);
    viewer.join(session.chat);
  };
  return { viewer, display, lines, snapshots, join, window };
}

function openTextDisplay(
  { calls, shows, retain, output }: WatchedRun,
  rows: () => readonly ChatToolRow[],
  context: CliContext,
): RunDisplay {
  const options = { output, isQuiet: shows === "result", retain };
  if (calls === "one") return chooseTextDisplay(options, context);
  const display = openCallsDisplay(options, context);
  return {
    show: () => display.show(shownCalls({ rows: rows() })),
    finish: () => display.finish(lastShownCalls({ rows: rows() })),
    suspend: () => display.suspend(),
    resume: () => display.resume(),
    abandon: () => display.abandon(),
  };
}
