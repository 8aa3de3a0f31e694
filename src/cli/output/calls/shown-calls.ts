import type { ChatRow, ChatToolRow } from "../../../facet/index.js";
import { describeArgs } from "../../show/call-words.js";
import { printableLine } from "../../terminal/printable.js";
import { openWindow } from "../window.js";
import type { ShownCall } from "./contract.js";

/** Where calls are told of. */
export interface Rows {
  readonly rows: readonly ChatRow[];
}

/** The calls of a chat, in the order in which they began. What is not part of the transcript can still go on. */
export function shownCalls({ rows }: Rows): readonly ShownCall[] {
  return callsOf(rows).map((row) => showCall(row, row.position !== undefined));
}

/** The same where no more is to come. */
export function lastShownCalls({ rows }: Rows): readonly ShownCall[] {
  return callsOf(rows).map((row) => showCall(row, row.state !== "running"));
}

/** One that waits for a decision has nothing to show yet. */
function callsOf(rows: readonly ChatRow[]): readonly ChatToolRow[] {
  return rows.filter((row) => row.type === "tool").filter(({ state }) => state !== "waiting");
}

function showCall({ operationId, toolCallId, toolName, args, output }: ChatToolRow, settled: boolean): ShownCall {
  return {
    id: `${operationId}/${toolCallId}`,
    title: `${printableLine(toolName)} ${describeArgs(args)}`,
    window: openWindow(output, settled),
  };
}
