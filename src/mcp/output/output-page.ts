import type { Clock, ShellOutputView } from "../../exec/index.js";
import type { McpWork } from "../contract.js";
import type { FoundExecution } from "../executions.js";
import { readLinePage, START } from "./line-page.js";
import type { LinePage, LinePlace } from "./line-page.js";
import { joinFiles, textFile } from "./output-file.js";
import type { OutputFile } from "./output-file.js";
import { plainText } from "./plain-text.js";
import { watchOutput } from "./watched-output.js";
import type { OutputNow } from "./watched-output.js";

export interface OutputRequest {
  readonly afterLine: number;
  readonly maxBytes: number;
  /** How long to wait for a line, where there is none after that one yet. */
  readonly waitMs: number;
}

/** Lines of an execution's output, and how it stands. */
export interface OutputPage {
  readonly now: OutputNow;
  readonly text: string;
  /** Absent where there is no line. */
  readonly firstLine?: number;
  readonly lastLine?: number;
  /** What to ask for next. */
  readonly nextAfterLine: number;
  readonly hasMore: boolean;
  /** Size of a line of which only the start is shown. */
  readonly cutLineBytes?: number;
  /** Lines that are not kept anywhere, in place of which those after them are shown. */
  readonly missingLines?: number;
}

/** Where reading of an output stopped, so that going on costs what is new. */
export type ReadPlaces = Map<string, LinePlace>;

const MAX_PLACES = 256;

/** Gives the lines after one of them as soon as there are any, or the execution is over, or the time is. */
export async function readOutput(
  work: McpWork,
  found: FoundExecution,
  request: OutputRequest,
  { places, clock, signal }: { readonly places: ReadPlaces; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<OutputPage> {
  using watched = await watchOutput(work, found, clock);
  const late = new AbortController();
  const timer = clock.after(request.waitMs, () => late.abort());
  const over = AbortSignal.any([signal, late.signal]);
  try {
    for (;;) {
      const change = watched.changed(over);
      const { now } = watched;
      const page = await readPage(work, found, now, request, places);
      const isOver = now.status !== "running" && now.status !== "left";
      if (page.firstLine !== undefined || isOver || over.aborted || request.waitMs === 0) return page;
      await change;
    }
  } finally {
    late.abort();
    timer.cancel();
  }
}

async function readPage(
  work: McpWork,
  found: FoundExecution,
  now: OutputNow,
  { afterLine, maxBytes }: OutputRequest,
  places: ReadPlaces,
): Promise<OutputPage> {
  const { view } = now;
  if (view === undefined) return { now, text: "", nextAfterLine: afterLine, hasMore: false };
  const isOver = now.status !== "running" && now.status !== "left";
  await using file = await openOutput(work, found, view);
  if (file === undefined) return readWindow(now, view, { afterLine, maxBytes, isOver });
  const place = places.get(found.id);
  const from = place !== undefined && place.line <= afterLine && place.offset <= file.length ? place : START;
  const page = await readLinePage(file, { from, afterLine, maxBytes, isOver });
  places.delete(found.id);
  places.set(found.id, page.end);
  for (const oldest of places.keys()) {
    if (places.size <= MAX_PLACES) break;
    places.delete(oldest);
  }
  return toOutputPage(now, page, afterLine);
}

/** All of the output: its file, or the window where that holds it, and what processes that were left behind have given. */
async function openOutput(
  work: McpWork,
  { session, info }: FoundExecution,
  view: ShellOutputView,
): Promise<OutputFile | undefined> {
  const { truncated } = view.truncation;
  const whole = truncated
    ? view.spillPath && (await work.openOutput(session, view.spillPath))
    : textFile(view.text + (view.progress ?? ""));
  if (!whole) return undefined;
  const leftPath = info?.leftOutputPath;
  const left = leftPath === undefined ? undefined : await work.openOutput(session, leftPath);
  return left === undefined ? whole : joinFiles(whole, left);
}

/** What the window has, where the rest is not kept. */
async function readWindow(
  now: OutputNow,
  view: ShellOutputView,
  { afterLine, maxBytes, isOver }: { afterLine: number; maxBytes: number; isOver: boolean },
): Promise<OutputPage> {
  const lines = view.text.split("\n").length - (view.text.endsWith("\n") || view.text === "" ? 1 : 0);
  const total = view.truncation.totalLines - (view.progress === undefined ? 0 : 1);
  const dropped = Math.max(0, total - lines);
  const from = { line: dropped, offset: 0 };
  const after = Math.max(afterLine, dropped);
  const page = await readLinePage(textFile(view.text), { from, afterLine: after, maxBytes, isOver });
  return { ...toOutputPage(now, page, after), ...(after > afterLine && { missingLines: after - afterLine }) };
}

function toOutputPage(now: OutputNow, page: LinePage, afterLine: number): OutputPage {
  const { count, end, hasMore, cutLineBytes } = page;
  const next = count === 0 ? afterLine : end.line;
  return {
    now,
    text: plainText(page.bytes),
    ...(count > 0 && { firstLine: end.line - count + 1, lastLine: end.line }),
    nextAfterLine: next,
    hasMore,
    ...(cutLineBytes !== undefined && { cutLineBytes }),
  };
}
