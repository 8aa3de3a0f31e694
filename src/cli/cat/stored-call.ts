import { executionsOf } from "../../harness/index.js";
import type { StoredLane } from "../../harness/index.js";
import type { LaneView } from "../../lane/index.js";
import type { CallStop, Entry, OperationId, SessionId, ToolCallId } from "../../protocol/index.js";
import { CliError } from "../failure.js";
import { openWindow } from "../output/window.js";
import type { OutputWindow } from "../output/window.js";
import type { SessionContents } from "../show/session-contents.js";

/** A call as far as its session knows it, running ones included. */
export interface StoredCall {
  readonly session: SessionId;
  readonly operation: OperationId;
  readonly id: ToolCallId;
  readonly window: OutputWindow;
  /** What ended a call that did not end by itself. */
  readonly stopped?: CallStop | undefined;
  /** Where its whole output lies, or would. */
  readonly spillPath: string | undefined;
}

/** The call of this id, or the last one. @throws {CliError} `not_found` */
export function findCall({ summary, lanes }: SessionContents, id: ToolCallId | undefined): StoredCall {
  const { session } = summary;
  const calls = lanes.flatMap((lane) => listStoredCalls(session, lane));
  const found = id === undefined ? calls.at(-1) : calls.find((call) => call.id === id);
  if (found !== undefined) return found;
  const known = calls.length === 0 ? "it has none" : `it has: ${calls.map((call) => call.id).join(", ")}`;
  throw new CliError("not_found", `session ${session} has no call${id === undefined ? "" : ` ${id}`}; ${known}`);
}

/** The calls of a lane as it is stored: of one that was begun and not settled its plan says where its spill would be. */
export function listStoredCalls(session: SessionId, { transcript, unsettled }: StoredLane): StoredCall[] {
  const open = (unsettled?.calls ?? []).map((call): StoredCall => {
    const window = openWindow(call.output, false);
    const planned = executionsOf(call).flatMap(({ spillPath }) => spillPath ?? []);
    const operation = unsettled?.id ?? "";
    return { session, operation, id: call.toolCallId, window, spillPath: window.spillPath ?? planned.at(-1) };
  });
  return [...listSettled(session, transcript), ...open];
}

/** The calls of a lane at work. */
export function listViewCalls(session: SessionId, { transcript, operation }: LaneView): StoredCall[] {
  const open = (operation?.tools ?? []).map(({ id, output }): StoredCall => {
    const window = openWindow(output, false);
    return { session, operation: operation?.id ?? "", id, window, spillPath: window.spillPath };
  });
  return [...listSettled(session, transcript), ...open];
}

function listSettled(session: SessionId, transcript: readonly Entry[]): StoredCall[] {
  return transcript.flatMap((entry): StoredCall[] => {
    if (entry.type !== "tool") return [];
    const window = openWindow(entry.output, true);
    const { stopped } = entry;
    return [
      { session, operation: entry.operationId, id: entry.toolCallId, window, stopped, spillPath: window.spillPath },
    ];
  });
}
