import type { LaneOperation, LaneView } from "../../lane/index.js";
import { entryRow, openToolRow, showMessage, showOutput } from "./rows.js";
import type { ChatAssistantRow, ChatRow, ChatState, ChatToolRow } from "./state.js";

/** The chat of a lane as it is: the last `maxRows` entries, and what runs. */
export function openChat(view: LaneView, maxRows: number): ChatState {
  const entries = view.transcript.slice(-maxRows);
  const earlier = (view.earlier ?? 0) + view.transcript.length - entries.length;
  const settled = entries.map((entry, index) => entryRow(entry, earlier + index));
  if (view.operation === null) return { earlier, rows: settled, operation: null };
  const state = view.operation.abandoned === true ? "interrupted" : "running";
  return {
    earlier,
    rows: [...settled, ...openRows(view.operation, state)],
    operation: { id: view.operation.id, state },
  };
}

function openRows(operation: LaneOperation, state: "running" | "interrupted"): ChatRow[] {
  return [...openMessageRow(operation, state), ...openToolRows(operation, state)];
}

function openMessageRow({ id, message }: LaneOperation, state: ChatAssistantRow["state"]): ChatAssistantRow[] {
  if (message === undefined) return [];
  return [
    {
      type: "assistant",
      operationId: id,
      state,
      messageId: message.id,
      ...(message.state !== undefined && { message: showMessage(message.state) }),
      ...(message.withheld === true && { withheld: true }),
    },
  ];
}

function openToolRows(operation: LaneOperation, state: ChatToolRow["state"]): ChatToolRow[] {
  return operation.tools.map(({ id, name, args, output, withheld }) => ({
    ...openToolRow(operation.id, id, name, args),
    state,
    ...(output !== undefined && { output: showOutput(output) }),
    ...(withheld === true && { withheld: true }),
  }));
}
