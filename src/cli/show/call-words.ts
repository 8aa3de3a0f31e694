import type { UnsettledCall } from "../../harness/index.js";
import type { Entry, Json } from "../../protocol/index.js";
import type { SessionState } from "../sessions/summary.js";

/** What a call of bash, or of a tool like it, was asked to run. */
export function commandOf(args: Json): string | undefined {
  if (typeof args !== "object" || args === null || Array.isArray(args) || !("command" in args)) return undefined;
  const { command } = args;
  return typeof command === "string" ? command : undefined;
}

/** How a call that is part of the transcript ended, in a word. */
export function describeEnd({ stopped, isError }: Extract<Entry, { type: "tool" }>): string {
  return stopped ?? (isError ? "failed" : "done");
}

/** How far a call has come that is not part of the transcript yet. */
export function describeProgress({ output }: UnsettledCall, state: SessionState): string {
  if (output === undefined) return "not begun";
  return state === "running" ? "running" : "not settled";
}
