import { executionsOf } from "../../harness/index.js";
import type { SessionId, ToolCallId, ToolOutputState } from "../../protocol/index.js";
import { CliError } from "../failure.js";
import { openWindow } from "../output/window.js";
import type { OutputWindow } from "../output/window.js";
import type { SessionContents } from "../show/session-contents.js";

/** A call as far as its session knows it, running ones included. */
export interface StoredCall {
  readonly session: SessionId;
  readonly id: ToolCallId;
  readonly window: OutputWindow;
  /** Where its whole output lies, or would. */
  readonly spillPath: string | undefined;
}

/** The call of this id, or the last one. @throws {CliError} `not_found` */
export function findCall({ summary, lanes }: SessionContents, id: ToolCallId | undefined): StoredCall {
  const { session } = summary;
  const calls = lanes.flatMap(({ transcript, unsettled }): StoredCall[] => [
    ...transcript.flatMap((entry) =>
      entry.type === "tool" ? [describeCall(session, entry.toolCallId, entry.output, true)] : [],
    ),
    ...(unsettled?.calls ?? []).map((call) => {
      const planned = executionsOf(call).flatMap(({ spillPath }) => spillPath ?? []);
      return describeCall(session, call.toolCallId, call.output, false, planned.at(-1));
    }),
  ]);
  const found = id === undefined ? calls.at(-1) : calls.find((call) => call.id === id);
  if (found !== undefined) return found;
  const known = calls.length === 0 ? "it has none" : `it has: ${calls.map((call) => call.id).join(", ")}`;
  throw new CliError("not_found", `session ${session} has no call${id === undefined ? "" : ` ${id}`}; ${known}`);
}

function describeCall(
  session: SessionId,
  id: ToolCallId,
  output: ToolOutputState | undefined,
  settled: boolean,
  planned?: string,
): StoredCall {
  const window = openWindow(output, settled);
  return { session, id, window, spillPath: window.spillPath ?? planned };
}
