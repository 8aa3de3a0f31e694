import type { LaneOperation, LaneView } from "../../lane/index.js";
import { entryRow, openToolRow, showMessage, showOutput, showQueued } from "./rows.js";
import type { ChatAssistantRow, ChatRow, ChatState } from "./state.js";

/** The chat of a lane as it is: the last `maxRows` entries, and what runs. */
export function openChat(view: LaneView, maxRows: number): ChatState {
  const entries = view.transcript.slice(-maxRows);
  const earlier = (view.earlier ?? 0) + view.transcript.length - entries.length;
  const settled = entries.map((entry, index) => entryRow(entry, earlier + index));
  const queue = view.queue !== undefined && { queue: view.queue.map(showQueued) };
  if (view.operation === null) return { earlier, rows: settled, operation: null, ...queue };
  const state = view.operation.abandoned === true ? "interrupted" : "running";
  return {
    earlier,
    rows: [...settled, ...openRows(view.operation, state)],
    operation: {
      id: view.operation.id,
      state,
      ...(view.operation.retry !== undefined && { retry: view.operation.retry }),
    },
    ...queue,
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

function openToolRows(operation: LaneOperation, state: "running" | "interrupted"): ChatRow[] {
  return operation.tools.map((tool) => ({
    ...openToolRow(operation.id, tool),
    state: tool.pendingApproval === undefined ? state : "waiting",
    ...(tool.pendingApproval !== undefined && { pendingApproval: tool.pendingApproval }),
    ...(tool.approval !== undefined && { approval: tool.approval }),
    ...(tool.output !== undefined && { output: showOutput(tool.output) }),
    ...(tool.withheld === true && { withheld: true }),
  }));
}
