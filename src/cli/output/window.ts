import type { ToolOutputState } from "../../protocol/index.js";

/** What the displays show of a call's output: the bounded window, and what is said about it. */
export interface OutputWindow {
  readonly text: string;
  /** With both ends kept: the end, once what lies between was dropped. */
  readonly tail: string | undefined;
  readonly progress: string | undefined;
  readonly notice: string | undefined;
  readonly truncated: boolean;
  /** Newlines of the whole output, plus one if its last byte is another; known while nothing was cut only at the end. */
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly spillPath: string | undefined;
  /** What the spill came to hold, where that is not the output byte for byte. */
  readonly spill: ToolOutputState["spill"];
  /** Whether the call has ended, so that this is the last of it. */
  readonly settled: boolean;
}

export function openWindow(state: ToolOutputState<unknown> | undefined, settled: boolean): OutputWindow {
  const blocks = state?.content ?? [];
  const texts = blocks.filter((block) => block.type === "text");
  const [text, tail] = texts.filter((block) => block.notice !== true);
  return {
    text: text?.text ?? "",
    tail: tail?.text,
    progress: state?.progress,
    notice: texts.find((block) => block.notice === true)?.text,
    truncated: state?.truncation.truncated ?? false,
    totalLines: state?.truncation.totalLines ?? 0,
    totalBytes: state?.truncation.totalBytes ?? 0,
    spillPath: findSpillPath(state?.details),
    spill: state?.spill,
    settled,
  };
}

function findSpillPath(details: unknown): string | undefined {
  if (typeof details !== "object" || details === null || !("spillPath" in details)) return undefined;
  return typeof details.spillPath === "string" ? details.spillPath : undefined;
}
