import type { UnsettledCall } from "../../harness/index.js";
import type { CallStop, Json, ToolEntry } from "../../protocol/index.js";
import type { SessionState } from "../sessions/summary.js";
import { printableLine } from "../terminal/printable.js";

const MAX_ARGS_LENGTH = 200;

/** What a call of bash, or of a tool like it, was asked to run. */
export function commandOf(args: Json): string | undefined {
  if (typeof args !== "object" || args === null || Array.isArray(args) || !("command" in args)) return undefined;
  const { command } = args;
  return typeof command === "string" ? command : undefined;
}

/** What a call was asked, on one line. */
export function describeArgs(args: Json): string {
  const text = commandOf(args) ?? JSON.stringify(args);
  const line = printableLine(text.replaceAll("\n", " ⏎ "));
  return line.length <= MAX_ARGS_LENGTH ? line : `${line.slice(0, MAX_ARGS_LENGTH)}…`;
}

export type CallEnd = "done" | "failed" | CallStop;

/** How a call that is part of the transcript ended, in a word. */
export function describeEnd({ stopped, isError }: Pick<ToolEntry, "stopped" | "isError">): CallEnd {
  return stopped ?? (isError ? "failed" : "done");
}

/** How far a call has come that is not part of the transcript yet. */
export function describeProgress({ output }: UnsettledCall, state: SessionState): string {
  if (output === undefined) return "not begun";
  return state === "running" ? "running" : "not settled";
}
