import { formatAmount, formatBytes, formatDuration } from "../report/units.js";
import type { Colours } from "../terminal/colours.js";
import { fitLine } from "../terminal/fit.js";
import type { LineFitter } from "../terminal/line-fitter.js";
import { printableLine } from "../terminal/printable.js";
import { findLastLines } from "./new-lines.js";
import type { OutputWindow } from "./window.js";

export interface FrameInput {
  /** Absent until the call has given anything. */
  readonly window: OutputWindow | undefined;
  /** Lines and bytes that came with the window so far; what counts until the env states totals. */
  readonly seen: { readonly lines: number; readonly bytes: number };
  readonly elapsedMs: number;
  readonly columns: number;
  readonly rows: number;
  readonly colours: Colours;
  readonly fitter: LineFitter;
}

/** Most lines of text: more than this is read better when it stands still. */
const MAX_TEXT_ROWS = 16;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPINNER_STEP_MS = 100;
const JOINT = " · ";
const MIN_PATH_COLUMNS = 16;

/** The rows of the live region: the last lines of the window, the progress line, one status line. */
export function composeFrame(input: FrameInput): string[] {
  const { window, columns, colours, fitter } = input;
  fitter.begin(columns);
  // One row is left to the line above, so that a frame never scrolls the terminal.
  const free = Math.max(0, input.rows - 2);
  const progress = window?.progress === undefined || free === 0 ? [] : [window.progress];
  const count = Math.min(MAX_TEXT_ROWS, free - progress.length);
  const text = lastLines(window?.tail ?? window?.text ?? "", count);
  return [
    ...text.map((line) => fitter.fit(line)),
    ...progress.map((line) => colours.cyan(fitter.fit(line))),
    formatStatus(input),
  ];
}

function lastLines(text: string, count: number): string[] {
  if (text === "" || count <= 0) return [];
  const end = text.endsWith("\n") ? text.length - 1 : text.length;
  const { start } = findLastLines(text, end, count);
  return text.slice(start, end).split("\n");
}

/** As much as fits, the most wanted first: elapsed time, lines, bytes, spill. */
function formatStatus({ window, seen, elapsedMs, columns, colours }: FrameInput): string {
  const spinner = SPINNER[Math.floor(elapsedMs / SPINNER_STEP_MS) % SPINNER.length] ?? "";
  const parts = [`${spinner} ${formatDuration(elapsedMs)}`];
  if (window !== undefined) {
    const { lines, bytes } = countOutput(window, seen);
    parts.push(formatAmount(lines, "line"), formatBytes(bytes));
  }
  const status = parts.reduce((line, part) => appendFitting(line, part, columns));
  const spill =
    window?.spillPath === undefined ? "" : formatSpill(window.spillPath, columns - status.length - JOINT.length);
  return colours.dim(fitLine(spill === "" ? status : appendFitting(status, spill, columns), columns));
}

function countOutput(window: OutputWindow, seen: FrameInput["seen"]): FrameInput["seen"] {
  if (window.truncated) return { lines: window.totalLines, bytes: window.totalBytes };
  const progress = window.progress ?? "";
  return { lines: seen.lines + (progress === "" ? 0 : 1), bytes: seen.bytes + Buffer.byteLength(progress) };
}

function appendFitting(line: string, part: string, columns: number): string {
  const longer = `${line}${JOINT}${part}`;
  return longer.length <= columns ? longer : line;
}

/** The path, or its end where that still says something; the notice at the end has all of it. */
function formatSpill(path: string, columns: number): string {
  const label = "spill";
  const room = columns - label.length - 1;
  const shown = printableLine(path);
  if (shown.length <= room) return `${label} ${shown}`;
  return room < MIN_PATH_COLUMNS ? label : `${label} …${shown.slice(1 - room)}`;
}
